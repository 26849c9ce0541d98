package slots

import (
	"reflect"
	"testing"
)

// A slot is the same as another only if it is equal to it in every field.
func TestSameSeesEveryField(t *testing.T) {
	base := Slot{Epoch: 5, Set: &Set{Version: 5}, Owner: 1}
	if other := base; !base.same(&other) {
		t.Error("a copy is not the same")
	}
	for i := range reflect.TypeFor[Slot]().NumField() {
		other := base
		switch f := reflect.ValueOf(&other).Elem().Field(i); f.Kind() {
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
		default:
			f.SetUint(f.Uint() + 1)
		}
		if base.same(&other) {
			t.Errorf("a slot with another %s is the same", reflect.TypeFor[Slot]().Field(i).Name)
		}
	}
}
