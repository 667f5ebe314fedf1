"""Local servers for .ci/action-test: one for the assets of a release, which can corrupt them, and a proxy."""

import contextlib
import socket
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Web:
    """A web server. `at` has the answers for each path, `asked` the requested paths, and `base` is its address.

    Each request for a path gets the next answer in its list, and the last answer repeats. An answer is the bytes, a status,
    ("cut", bytes) for a connection that breaks halfway, ("short", bytes) for half of them that look whole, ("stall", bytes)
    for half of them and then nothing, or ("to", address) for a redirect.
    """

    def __init__(self, certificate=None):
        self.at, self.asked, self.stalling = {}, [], threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        port = self.server.server_address[1]
        self.base = f"http://127.0.0.1:{port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*certificate)
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
            self.base = f"https://localhost:{port}"
        self.server.handle_error = lambda *_: None
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def handler(self):
        web = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                web.asked.append(self.path)
                answers = web.at.get(self.path, [404])
                answer = answers.pop(0) if len(answers) > 1 else answers[0]
                if isinstance(answer, int):
                    self.send_error(answer)
                    return
                manner, what = answer if isinstance(answer, tuple) else ("whole", answer)
                if manner == "to":
                    self.send_response(302)
                    self.send_header("Location", what)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                sent = what if manner == "whole" else what[: len(what) // 2]
                self.send_response(200)
                if manner != "short":
                    self.send_header("Content-Length", str(len(what)))
                self.end_headers()
                self.wfile.write(sent)
                self.wfile.flush()
                if manner == "stall":
                    web.stalling.set()
                    time.sleep(30)

            def log_message(self, *_):
                pass

        return Handler


class Proxy:
    """A proxy that forwards HTTP requests, refuses TLS connections, and records every request in `asked`."""

    def __init__(self):
        self.asked = []
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), self.handler())
        self.server.daemon_threads = True
        self.base = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def handler(self):
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                proxy.asked.append(f"GET {self.path}")
                there = urlsplit(self.path)
                with contextlib.closing(socket.create_connection((there.hostname, there.port))) as server:
                    server.sendall(f"GET {there.path} HTTP/1.0\r\nHost: {there.netloc}\r\n\r\n".encode())
                    while part := server.recv(65536):
                        self.wfile.write(part)
                self.close_connection = True

            def do_CONNECT(self):
                proxy.asked.append(f"CONNECT {self.path}")
                self.send_error(403, "Not from here")

            def log_message(self, *_):
                pass

        return Handler


def dead():
    """Returns the address of a server that doesn't exist."""
    with contextlib.closing(socket.socket()) as free:
        free.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{free.getsockname()[1]}"


def certificate(folder):
    """Creates a certificate for localhost and its key."""
    paths = (f"{folder}/localhost.crt", f"{folder}/localhost.key")
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    made += ["-addext", "subjectAltName=DNS:localhost", "-out", paths[0], "-keyout", paths[1]]
    subprocess.run(made, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return paths
