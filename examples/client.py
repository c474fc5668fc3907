"""Starts a process, completes its task, and waits for its end. Usage: python3 client.py <url> <password>"""

import base64
import json
import sys
import urllib.request
import uuid

URL = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
PASSWORD = sys.argv[2] if len(sys.argv) > 2 else ""
ENDPOINT = URL + "/bin/graphql.cgi/web"
AUTHORIZATION = "Basic " + base64.b64encode(f"admin:{PASSWORD}".encode()).decode()


def post(body, accept):
    headers = {"Authorization": AUTHORIZATION, "Content-Type": "application/json", "Accept": accept}
    return urllib.request.urlopen(urllib.request.Request(ENDPOINT, json.dumps(body).encode(), headers))


def ask(query, variables, idempotency_key=None):
    """Sends an operation; a mutation that is sent again with its key is done once."""
    body = {"query": query, "variables": variables}
    if idempotency_key:
        body["extensions"] = {"idempotencyKey": idempotency_key}
    with post(body, "application/json") as response:
        answer = json.load(response)
    if "errors" in answer:
        raise RuntimeError("\n".join(error["message"] for error in answer["errors"]))
    return answer


def events(query, variables):
    """The events of a subscription, one by one."""
    with post({"query": query, "variables": variables}, "text/event-stream") as response:
        kind = ""
        for line in response:
            text = line.decode().rstrip("\n")
            if text.startswith("event: "):
                kind = text[len("event: ") :]
            elif text.startswith("data: ") and kind == "next":
                yield json.loads(text[len("data: ") :])["data"]


started = ask(
    "mutation ($input: StartProcessInput!) { startProcess(input: $input) { id state } }",
    {
        "input": {
            "definitionKey": "invoice-approval",
            "variables": [
                {"name": "invoiceNumber", "value": "P-1"},
                {"name": "creditor", "value": "Mill & Sons"},
                {"name": "amount", "value": 1200},
            ],
        }
    },
    str(uuid.uuid4()),
)
instance = started["data"]["startProcess"]
print("started:", instance["state"])

found = ask(
    "query ($id: ID) { tasks(processInstance: $id) { edges { node { id name } } } }", {"id": instance["id"]}
)
task = found["data"]["tasks"]["edges"][0]["node"]
print("to do:", task["name"])
ask(
    "mutation ($input: CompleteTaskInput!) { completeTask(input: $input) { state } }",
    {"input": {"taskId": task["id"], "variables": [{"name": "approved", "value": True}]}},
    str(uuid.uuid4()),
)

ENDED = "subscription ($after: String) { processEnded(after: $after) { processInstance { id state } } }"
for event in events(ENDED, {"after": started["extensions"]["position"]}):
    ended = event["processEnded"]["processInstance"]
    if ended["id"] == instance["id"]:
        print("ended:", ended["state"])
        break
