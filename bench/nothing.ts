/**
 * A server that responds without any query: the share of machine, connections and load generator.
 */
import { createServer } from 'node:http';

const body = JSON.stringify({ data: [] });
createServer((request, response) => {
  request.resume();
  response
    .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    .end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
