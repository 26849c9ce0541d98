package host

import (
	"net"
	"runtime"
	"testing"

	"github.com/elares/ironcache/sim/env"
)

// benchConns is how many connections wait for an echo at a time.
const benchConns = 32

// The echo of 64 bytes on many connections, by a loop and by a goroutine a
// connection: a ratio to look at side by side, not a figure. The client is one
// thread in either case.
func BenchmarkEcho(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	SetProcs(2)
	for _, n := range networks {
		b.Run(n.name, func(b *testing.B) { benchmarkLoop(b, NewNetwork(n.options)) })
	}
	b.Run("goroutines", benchmarkGoroutines)
}

func benchmarkLoop(b *testing.B, network env.Network) {
	p, err := network.Poller()
	if err != nil {
		b.Fatal(err)
	}
	listener, err := p.Listen(env.ListenAddress{Network: "tcp", Address: "127.0.0.1:0", Backlog: benchConns})
	if err != nil {
		b.Fatal(err)
	}
	address := p.(interface{ Address(env.Conn) string }).Address(listener)
	done, _ := Thread(AnyCPU, func() { echo(p, listener) })
	pingPong(b, address)
	<-done
	p.Shut()
}

// echo serves until the first connection ends.
func echo(p env.Poller, listener env.Conn) {
	events, buffer := make([]env.Event, 64), make([]byte, 4096)
	for {
		n, _ := p.Wait(events, -1)
		for _, e := range events[:n] {
			if e.Conn == listener {
				p.Accept(listener)
				continue
			}
			size, err := p.Read(e.Conn, buffer)
			if err != nil && err != env.ErrAgain {
				return
			}
			if size > 0 {
				p.Write(e.Conn, buffer[:size])
			}
		}
	}
}

func benchmarkGoroutines(b *testing.B) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go echoOne(conn)
		}
	}()
	pingPong(b, listener.Addr().String())
}

func echoOne(conn net.Conn) {
	defer conn.Close()
	buffer := make([]byte, 4096)
	for {
		n, err := conn.Read(buffer)
		if err != nil {
			return
		}
		conn.Write(buffer[:n])
	}
}

// pingPong sends on all connections and reads all echoes, b.N messages in all.
func pingPong(b *testing.B, address string) {
	message := make([]byte, 64)
	var clients [benchConns]*net.TCPConn
	for i := range clients {
		client, err := net.Dial("tcp", address)
		if err != nil {
			b.Fatal(err)
		}
		defer client.Close()
		clients[i] = client.(*net.TCPConn)
	}
	b.ResetTimer()
	for sent := 0; sent < b.N; sent += benchConns {
		for _, client := range clients {
			client.Write(message)
		}
		for _, client := range clients {
			client.Read(message)
		}
	}
	b.StopTimer()
}
