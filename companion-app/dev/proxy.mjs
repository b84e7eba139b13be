// A development server for the app, in front of a hub. Serves target/dist, forwards calls to the hub over mutual TLS with an arbiter's key file, and
// answers /session from the certificate. Anyone who can reach its port acts as that arbiter, so it listens only on this machine and rejects requests
// from pages of other origins.

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:http2";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { X509Certificate } from "node:crypto";

const { values: args } = parseArgs({
  options: {
    hub: { type: "string", default: "127.0.0.1:7464" },
    key: { type: "string" },
    port: { type: "string", default: "7480" },
    dist: { type: "string", default: fileURLToPath(new URL("../target/dist", import.meta.url)) },
    help: { type: "boolean", short: "h" },
  },
});
if (args.help || !args.key) {
  console.error("Usage: node dev/proxy.mjs --key DATA-DIRECTORY/chief.pem [--hub HOST:PORT] [--port 7480] [--dist target/dist]");
  process.exit(args.help ? 0 : 2);
}

/** The arbiter's certificate, the private key and the authority's certificate; the certificates are in this order in the file. */
const pem = await readFile(args.key, "utf8");
const blocks = pem.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----\n?/g) ?? [];
const [cert, ca] = blocks.filter((block) => block.includes("CERTIFICATE"));
const key = blocks.find((block) => block.includes("PRIVATE KEY"));
if (!cert || !ca || !key) throw new Error(`${args.key} is no key file of an arbiter`);
const [, role, name] = /flagfall:arbiter:(\w+):(\S*?)(?:,|$)/.exec(new X509Certificate(cert).subjectAltName ?? "") ?? [];
const identity = JSON.stringify({ name: decodeURIComponent(name ?? ""), role: role ?? "viewer" });

let session;
function hub() {
  if (!session || session.closed || session.destroyed) {
    session = connect(`https://${args.hub}`, { cert, key, ca, servername: "hub.flagfall" });
    session.on("error", (error) => console.error(`hub: ${error.message}`));
  }
  return session;
}

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".webmanifest": "application/manifest+json",
};
/** The hub's content security policy, so that a bundle that violates the policy already fails here. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

async function page(request, response) {
  const path = normalize(new URL(request.url, "http://localhost").pathname);
  const file = join(args.dist, path === "/" ? "index.html" : path);
  if (!file.startsWith(args.dist)) return void response.writeHead(404).end();
  try {
    const body = await readFile(file);
    response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream", "content-security-policy": POLICY });
    response.end(body);
  } catch {
    response.writeHead(404).end();
  }
}

function call(request, response) {
  const headers = { ":method": "POST", ":path": request.url };
  for (const name of ["content-type", "x-grpc-web", "accept", "grpc-timeout"]) {
    if (request.headers[name]) headers[name] = request.headers[name];
  }
  let stream;
  try {
    stream = hub().request(headers);
  } catch (error) {
    return void response.writeHead(502).end(error.message);
  }
  const failed = () => (response.headersSent ? response.destroy() : response.writeHead(502).end());
  stream.on("response", (answer) => {
    const plain = Object.fromEntries(Object.entries(answer).filter(([field]) => !field.startsWith(":")));
    response.writeHead(answer[":status"] ?? 502, plain);
    response.flushHeaders();
  });
  stream.on("error", failed);
  stream.on("aborted", failed);
  request.pipe(stream);
  stream.pipe(response);
  response.on("close", () => stream.close());
}

const server = createServer((request, response) => {
  const { origin, host } = request.headers;
  if (origin && origin !== `http://${host}`) return void response.writeHead(403).end();
  if (request.method === "POST" && request.url?.startsWith("/flagfall.api.v1.")) return call(request, response);
  if (request.url === "/session") return void response.writeHead(200, { "content-type": "application/json" }).end(identity);
  return void page(request, response);
});
server.listen(Number(args.port), "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`));
