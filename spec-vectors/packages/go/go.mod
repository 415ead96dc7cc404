module aiweb.example/vectors

go 1.19
