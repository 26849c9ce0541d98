// Drives a server through the libraries of Node: node main.mjs HOST:PORT [CLIENT...]
// with the clients ioredis, redis-resp2 and redis-resp3. Prints each failed
// check and 'N passed, N failed'. The server's keys are lost.
import { runIoredis } from './ioredis.mjs';
import { runRedis } from './redis.mjs';

const clients = {
  'ioredis': runIoredis,
  'redis-resp2': (host, port) => runRedis(host, port, 2),
  'redis-resp3': (host, port) => runRedis(host, port, 3),
};

const [address = '127.0.0.1:6379', ...names] = process.argv.slice(2);
const [host, port] = address.split(':');
const total = { passed: 0, failed: 0 };
for (const name of names.length ? names : Object.keys(clients)) {
  const score = await clients[name](host, Number(port));
  total.passed += score.passed;
  total.failed += score.failed;
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed ? 1 : 0);
