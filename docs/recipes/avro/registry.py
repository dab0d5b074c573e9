"""A schema registry over HTTP, for tests: schemas in memory, ids from 1, backward compatibility."""

import json
import re
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from fastavro import parse_schema
from fastavro.schema import SchemaParseException


class Registry(ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.schemas = []
        self.subjects = {}
        self.url = f"http://127.0.0.1:{self.server_port}"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = self.path.partition("?")[0]
        if (match := re.fullmatch(r"/schemas/ids/(\d+)", path)) and 0 < int(match[1]) <= len(self.server.schemas):
            return self.answer(200, {"schema": self.server.schemas[int(match[1]) - 1]})
        if match := re.fullmatch(r"/subjects/([^/]+)/versions/latest", path):
            if versions := self.server.subjects.get(match[1]):
                return self.answer(200, self.version(match[1], versions[-1]))
            return self.answer(404, {"error_code": 40401, "message": "Subject not found."})
        return self.answer(404, {"error_code": 40403, "message": "Schema not found"})

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        path = self.path.partition("?")[0]
        match = re.fullmatch(r"/subjects/([^/]+)(/versions)?", path)
        if match is None:
            return self.answer(404, {"error_code": 404, "message": "HTTP 404 Not Found"})
        versions = self.server.subjects.setdefault(match[1], [])
        same = [number for number in versions if self.server.schemas[number - 1] == body["schema"]]
        if same:
            return self.answer(200, self.version(match[1], same[0]))
        if match[2] is None:
            return self.answer(404, {"error_code": 40403, "message": "Schema not found"})
        return self.register(match[1], versions, body["schema"])

    def register(self, subject, versions, schema):
        try:
            parse_schema(json.loads(schema))
        except (SchemaParseException, ValueError) as error:
            return self.answer(422, {"error_code": 42201, "message": str(error)})
        if versions and (why := incompatible(json.loads(self.server.schemas[versions[-1] - 1]), json.loads(schema))):
            return self.answer(409, {"error_code": 409, "message": why})
        self.server.schemas.append(schema)
        versions.append(len(self.server.schemas))
        return self.answer(200, self.version(subject, versions[-1]))

    def version(self, subject, number):
        position = self.server.subjects[subject].index(number) + 1
        schema = self.server.schemas[number - 1]
        return {"subject": subject, "version": position, "id": number, "schema": schema, "schemaType": "AVRO"}

    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/vnd.schemaregistry.v1+json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        """Tests have no use for lines about requests."""


def incompatible(old, new):
    """Why records of the old schema cannot be read by the new one, or None. Only a record's fields are compared."""
    known = {field["name"]: field["type"] for field in old.get("fields", ())}
    for field in new.get("fields", ()):
        if field["name"] not in known and "default" not in field:
            return f"{field['name']} is new and has no default"
        if known.get(field["name"], field["type"]) != field["type"]:
            return f"{field['name']} changes its type"
    return None
