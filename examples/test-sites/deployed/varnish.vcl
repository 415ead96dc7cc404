vcl 4.1;

# A cache that keeps answers for two seconds, compresses what it keeps, and answers conditions by itself.
backend default { .host = "127.0.0.1"; .port = "@BACKEND@"; }

sub vcl_backend_response {
    set beresp.ttl = 2s;
    set beresp.grace = 0s;
    set beresp.keep = 60s;
    if (beresp.http.content-type ~ "json|text") {
        set beresp.do_gzip = true;
    }
}
