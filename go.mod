module github.com/elares/ironcache

go 1.26
