/** Names that never cross HTTP, either way and in any letter case: they are the runtime's own, and what routes and history go by. */
const OWN = /^(camel|org\.apache\.camel\.|mi:)/i;

/** What is about one connection or message, and made anew for each. */
const OF_ONE_MESSAGE = [
  ...['cache-control', 'connection', 'content-length', 'content-type', 'date', 'host', 'pragma', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'via', 'warning'],
];

/** What else is about one connection: Camel passes it on to the next one. */
const OF_ONE_CONNECTION = ['expect', 'keep-alive', 'proxy-connection', 'te'];

const STAYS = new Set([...OF_ONE_MESSAGE, ...OF_ONE_CONNECTION]);

/** What a request said that is not taken to be said of its answer, too. */
const OF_REQUESTS = new Set([
  ...OF_ONE_MESSAGE,
  ...['content-encoding', 'content-language', 'content-location', 'content-md5', 'content-range', 'dav', 'depth'],
  ...['destination', 'etag', 'expect', 'expires', 'from', 'if', 'if-match', 'if-modified-since', 'if-none-match'],
  ...['if-range', 'if-unmodified-since', 'last-modified', 'location', 'lock-token', 'max-forwards', 'overwrite'],
  ...['proxy-authenticate', 'proxy-authorization', 'range', 'referer', 'retry-after', 'server', 'status-uri', 'te'],
  ...['timeout', 'user-agent', 'vary', 'www-authenticate'],
]);

/** Whether a header of a message goes out with a request or an answer. */
export const goesOut = (name: string): boolean => !OWN.test(name) && !STAYS.has(name.toLowerCase());

/** Whether a header, or a parameter, of a request or an answer becomes one of a message. */
export const comesIn = (name: string): boolean => !OWN.test(name);

/** Whether a header of what was sent stays beside those of the answer. */
export const outlivesAnswer = (name: string): boolean => !OF_REQUESTS.has(name.toLowerCase());
