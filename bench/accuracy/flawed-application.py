"""A small application with an SQLite database, with the flaw that its argument names, or `none`."""

import html
import json
import os
import sqlite3
import string
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit

flaw = sys.argv[1]
documents = os.path.join(os.path.dirname(os.path.abspath(__file__)), "cases")


def database():
    connection = sqlite3.connect(":memory:")
    connection.execute("create table doctors (id integer, name text)")
    connection.executemany("insert into doctors values (?, ?)", [(1, "Ada"), (2, "Grace")])
    return connection


def find(column, value):
    if flaw in ("sql", "sql-quiet"):
        return database().execute(f"select name from doctors where {column} = '{value}'").fetchall()
    if flaw == "sql-number":
        return database().execute(f"select name from doctors where {column} = {value}").fetchall()
    return database().execute(f"select name from doctors where {column} = ?", [value]).fetchall()


def page(text):
    links = [
        "/doctor?name=Ada",
        "/doctor?id=1",
        "/read?file=notes.txt",
        "/out?next=/doctor",
        "/greet?name=you",
        "/doctors/2",
    ]
    anchors = "".join(f'<a href="{link}">{link.split("?")[0]}</a> ' for link in links)
    search = '<form action="/search" method="post"><input type="search" name="term"><button>Search</button></form>'
    letter = '<form action="/newsletter" method="post"><input name="email"><button>Join</button></form>'
    script = """<script>const search = q => fetch("/api/search", {method: "POST", body: JSON.stringify({q})})</script>"""
    return f"<!doctype html><html lang=en><title>Clinic</title><body><p>{text}</p>{anchors}{search}{letter}{script}</body></html>"


def look_up(kind, value):
    """The doctor of this value, as a status and a message."""
    try:
        if flaw == kind:
            return 200, str(database().execute(f"select name from doctors where name = '{value}'").fetchall())
        return 200, str(database().execute("select name from doctors where name = ?", [value]).fetchall())
    except sqlite3.Error as error:
        return 500, f"sqlite3.{type(error).__name__}: {error}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query, keep_blank_values=True).items()}
        if url.path == "/":
            return self.answer(200, page("Welcome"))
        if url.path == "/doctor":
            column, value = next(((name, query[name]) for name in ("id", "name") if name in query), ("id", "1"))
            try:
                rows = find(column, value)
            except sqlite3.Error as error:
                hidden = flaw == "sql-quiet"
                return self.answer(500, page("Something went wrong") if hidden else page(f"sqlite3.{type(error).__name__}: {error}"))
            return self.answer(200, page(html.escape(", ".join(name for (name,) in rows) or "No such doctor")))
        if url.path == "/read" and "file" in query:
            return self.read(query["file"])
        if url.path == "/out" and "next" in query:
            target = query["next"]
            isOwn = target.startswith("/") and (flaw == "redirect-slashes" or not target.startswith("//"))
            self.send_response(302)
            self.send_header("location", target if isOwn or flaw == "redirect" else "/")
            self.send_header("content-length", "0")
            return self.end_headers()
        if url.path == "/greet" and "name" in query:
            return self.greet(query["name"])
        if url.path.startswith("/doctors/"):
            status, text = look_up("sql-path", unquote(url.path.removeprefix("/doctors/")))
            return self.answer(status, page(html.escape(text)))
        self.answer(404, page("Not found"))

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
        if self.path == "/search":
            status, text = look_up("sql-search", parse_qs(body).get("term", [""])[0])
            return self.answer(status, page(html.escape(text)))
        if self.path == "/api/search":
            status, text = look_up("sql-json", json.loads(body)["q"])
            return self.answer(status, json.dumps({"message": text}), "application/json")
        # Anything else must not be sent: its message would be a false alarm.
        self.answer(500, "sqlite3.OperationalError: written")

    def read(self, name):
        place = os.path.join(documents, name) if flaw == "file" else os.path.join(documents, os.path.basename(name))
        try:
            with open(place, encoding="utf-8") as file:
                self.answer(200, file.read(), "text/plain; charset=utf-8")
        except OSError:
            self.answer(404, page("No such file"))

    def greet(self, name):
        if flaw == "template":
            # As template engines do with a text that a request is part of.
            rest, text = name, ""
            while "{{" in rest and "}}" in rest:
                before, _, more = rest.partition("{{")
                code, _, rest = more.partition("}}")
                text += before + str(eval(code, {"__builtins__": {}}))
            name = text + rest
        self.answer(200, page(string.Template("Hello $name").safe_substitute(name=html.escape(name))))

    def answer(self, status, text, type="text/html; charset=utf-8"):
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", type)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
