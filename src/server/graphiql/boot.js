// Starts GraphiQL in its page: queries and mutations by fetch, subscriptions on one event stream, both with the session's cookie.
const { GraphiQL, React, ReactDOM, graphqlSse } = window;

const workspace = new URLSearchParams(location.search).get('workspace') || 'web';
const endpoint = `/bin/graphql.cgi/${encodeURIComponent(workspace)}`;
const events = graphqlSse.createClient({ url: `${endpoint}/stream`, singleConnection: true });

document.title = `${workspace} · GraphiQL · Millrace`;
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, { fetcher, defaultQuery: welcome(), defaultEditorToolsVisibility: true }),
);

function fetcher(request, { headers = {} } = {}) {
  return isSubscription(request) ? events.iterate(request) : answer(request, headers);
}

/** By the text as it is sent: what GraphiQL has parsed of it may be older. */
function isSubscription({ query, operationName }) {
  const bare = query.replace(/"{3}[\s\S]*?"{3}|"(?:\\.|[^"\\\n])*"|#.*/g, ' ');
  return (operationName ? new RegExp(`\\bsubscription\\s+${operationName}\\b`) : /(^|\})\s*subscription\b/).test(bare);
}

async function answer(request, headers) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(request),
  });
  // The session has ended: whoever signs in again comes back to what was written, which the browser keeps.
  if (response.status === 401) {
    location.assign(`/bin/auth.cgi/saml2/login?RelayState=${encodeURIComponent(location.pathname + location.search)}`);
  }
  return response.json();
}

function welcome() {
  return `# The API of the workspace '${workspace}'. Ctrl+Space shows what may stand at a place, Ctrl+Enter runs what the cursor is in;
# the book to the left explains every type and field. Another workspace: ?workspace=system

query Definitions {
  processDefinitions(first: 10) {
    totalCount
    edges { node { key name version } }
  }
}

mutation Start {
  startProcess(input: { definitionKey: "invoice-approval", variables: [
    { name: "invoiceNumber", value: "R-1" }, { name: "creditor", value: "Mill & Sons" }, { name: "amount", value: 1200 }
  ] }) { id state activeActivityIds }
}

subscription Live {
  processStarted { processInstance { id state } }
}
`;
}
