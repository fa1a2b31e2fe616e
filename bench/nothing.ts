/**
 * A server that answers at once, and asks nobody: what machine, connections and load generator take
 * by themselves.
 */
import { createServer } from 'node:http';

const body = JSON.stringify({ data: [] });
createServer((request, response) => {
  request.resume();
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    .end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
