/** Limiters of proxies, each before the same small service at `{backend}`. */

/** A leaky bucket of 10 requests (the burst of 9 and one), which loses two a second; nothing is delayed. */
export const nginx = (more = '') => `
daemon off;
pid {folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  limit_req_zone $binary_remote_addr zone=clients:1m rate=2r/s;
  server {
    listen 127.0.0.1:{port};
    limit_req zone=clients burst=9 nodelay;
    ${more}
    location / { proxy_pass http://127.0.0.1:{backend}; }
  }
}`;

/** Its rate is that of this period and a share of the one before: a sliding counter. What is refused counts, too. */
export const HAPROXY = `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend items
  bind 127.0.0.1:{port}
  stick-table type ip size 100 expire 60s store http_req_rate(10s)
  http-request track-sc0 src
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 20 }
  default_backend service
backend service
  server app 127.0.0.1:{backend}
`;

/** The example of the manual of vsthrottle, with its Remaining. */
export const VARNISH = `
vcl 4.1;
import vsthrottle;
backend default { .host = "127.0.0.1"; .port = "{backend}"; }
sub vcl_recv {
  if (vsthrottle.is_denied(client.identity, 20, 10s)) { return (synth(429, "Too Many Requests")); }
  return (pass);
}
sub vcl_deliver { set resp.http.X-RateLimit-Remaining = vsthrottle.remaining(client.identity, 20, 10s); }
`;
