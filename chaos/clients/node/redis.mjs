// Checks through node-redis, which speaks RESP2 or RESP3.
import { createClient, createClientPool, ErrorReply, RESP_TYPES, WatchError } from 'redis';
import { bytes, equal, ok, rejects, run, sleep, together } from './checks.mjs';

const strings = [
  ['set with options', async ({ r }) => {
    equal(await r.set('k', 'v', { expiration: { type: 'PX', value: 60000 }, condition: 'NX' }), 'OK');
    equal(await r.set('k', 'w', { condition: 'NX' }), null);
    equal(await r.set('k', 'w', { condition: 'XX', GET: true, expiration: 'KEEPTTL' }), 'v');
    ok(await r.pTTL('k') > 59000);
    equal(await r.getEx('k', { type: 'PERSIST' }), 'w');
    equal(await r.ttl('k'), -1);
    equal(await r.getDel('k'), 'w');
    equal(await r.get('k'), null);
  }],
  ['numbers', async ({ r }) => {
    equal(await r.incr('n'), 1);
    equal(await r.incrBy('n', 41), 42);
    equal(await r.decrBy('n', 50), -8);
    equal(await r.incrByFloat('n', 0.5), '-7.5');
  }],
  ['parts and several keys', async ({ r }) => {
    equal(await r.append('part', 'hello'), 5);
    equal(await r.setRange('part', 1, 'EL'), 5);
    equal(await r.getRange('part', 0, 2), 'hEL');
    equal(await r.mSet([['m:1', 'a'], ['m:2', 'b']]), 'OK');
    equal(await r.mGet(['m:1', 'm:2', 'm:3']), ['a', 'b', null]);
    equal(await r.mSetNX({ 'm:3': 'c', 'm:1': 'd' }), 0);
    equal(await r.exists(['m:1', 'm:1', 'm:3']), 2);
    equal(await r.lcsLen('part', 'part'), 5);
  }],
  ['bytes of every value', async ({ r }) => {
    const raw = r.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    equal(await raw.set(bytes, bytes), 'OK');
    equal(Buffer.compare(await raw.get(bytes), bytes), 0);
    equal(await r.set('snow ☃', 'man ☃'), 'OK');
    equal(await r.get('snow ☃'), 'man ☃');
  }],
  ['values of 1 MB and 20 MB', async ({ r }) => {
    const raw = r.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
    for (const size of [1 << 20, 20 << 20]) {
      const big = Buffer.alloc(size, 'abcdefg');
      equal(await r.set('big', big), 'OK');
      equal(Buffer.compare(await raw.get('big'), big), 0);
      equal(await r.unlink('big'), 1);
    }
  }],
];

const keys = [
  ['expiry', async ({ r }) => {
    await r.set('e', '1');
    equal(await r.expire('e', 100, 'NX'), 1);
    equal(await r.expire('e', 50, 'GT'), 0);
    equal(await r.expireAt('e', new Date(Date.now() + 3600_000)), 1);
    ok(Math.abs(await r.expireTime('e') - Date.now() / 1000 - 3600) < 5);
    equal(await r.persist('e'), 1);
    equal(await r.pExpire('e', 40), 1);
    await sleep(80);
    equal(await r.get('e'), null);
  }],
  ['rename, copy, type, object', async ({ r }) => {
    await r.set('a', 'text');
    equal(await r.rename('a', 'b'), 'OK');
    equal(await r.renameNX('b', 'b2'), 1);
    equal(await r.copy('b2', 'c'), 1);
    equal(await r.type('c'), 'string');
    equal(await r.objectEncoding('c'), 'embstr');
    await rejects(r.rename('a', 'd'), error => error instanceof ErrorReply && error.message === 'ERR no such key');
  }],
  ['scan iterator', async ({ r }) => {
    await together(500, i => r.set(`scan:${i}`, String(i)));
    const seen = new Set();
    for await (const names of r.scanIterator({ MATCH: 'scan:*', COUNT: 17 })) names.forEach(name => seen.add(name));
    equal(seen.size, 500);
    equal((await r.keys('scan:49?')).length, 10);
  }],
  ['databases', async ({ r, open }) => {
    const c = await open({ database: 6 });
    await c.flushDb();
    await c.set('x', '1');
    equal(await c.dbSize(), 1);
    equal(await r.exists('x'), 0);
    await c.select(7);
    equal(await c.exists('x'), 0);
    await c.swapDb(6, 7);
    equal(await c.exists('x'), 1);
  }],
];

const transactions = [
  ['commands of one tick share a pipeline', async ({ r }) => {
    const replies = await together(5000, i => r.incr(`tick:${i % 9}`));
    ok(replies.every((n, i) => n === Math.floor(i / 9) + 1));
  }],
  ['multi', async ({ r }) => {
    equal(await r.multi().set('t', '1').incr('t').mGet(['t', 'u']).exec(), ['OK', 2, ['2', null]]);
    equal(await r.multi().get('t').execAsPipeline(), ['2']);
  }],
  ['an error inside multi', async ({ r }) => {
    const multi = r.multi().set('me', 'x').incr('me').get('me');
    await rejects(multi.exec(), error => error.replies[0] === 'OK' && error.errorIndexes[0] === 1
      && error.replies[1].message === 'ERR value is not an integer or out of range' && error.replies[2] === 'x');
  }],
  ['aborted multi', async ({ r }) => {
    await rejects(r.multi().set('ab', '1').addCommand(['GET']).exec(), /wrong number of arguments|EXECABORT/);
    equal(await r.exists('ab'), 0);
  }],
  ['watch', async ({ r, open }) => {
    const c = await open();
    await c.set('w', '1');
    await c.watch('w');
    await r.set('w', '2');
    await rejects(c.multi().set('w', '3').exec(), WatchError);
    equal(await c.get('w'), '2');
    await c.watch(['w', 'w2']);
    await c.unwatch();
    await r.set('w', '5');
    equal(await c.multi().get('w').exec(), ['5']);
  }],
  ['lock', async ({ open }) => {
    await together(4, async worker => {
      const c = await open();
      for (let i = 0; i < 10; i++) {
        while (await c.set('lock', `${worker}`, { expiration: { type: 'PX', value: 10000 }, condition: 'NX' }) !== 'OK') await sleep(1);
        await c.set('counter', String(Number(await c.get('counter')) + 1));
        await c.watch('lock');
        equal(await c.get('lock'), `${worker}`);
        equal(await c.multi().del('lock').exec(), [1]);
      }
    });
    equal(await (await open()).get('counter'), '40');
  }],
];

const connections = [
  ['name, id and protocol', async ({ open, protocol }) => {
    const c = await open({ name: 'node-name' });
    equal(await c.clientGetName(), 'node-name');
    const info = await c.clientInfo();
    equal([info.id, info.name, info.db, info.resp], [await c.clientId(), 'node-name', 0, protocol]);
    ok((await c.clientList()).some(other => other.name === 'node-name'));
  }],
  ['goes on after CLIENT KILL', async ({ r, open }) => {
    const c = await open({ database: 2 });
    await c.set('kill', '1');
    const id = await c.clientId();
    equal(await r.clientKill({ filter: 'ID', id }), 1);
    await sleep(100);
    equal(await c.get('kill'), '1');
    ok(await c.clientId() > id);
  }],
  ['pool', async ({ options }) => {
    const pool = await createClientPool(options, { minimum: 1, maximum: 50 }).on('error', () => {}).connect();
    await together(500, i => pool.set(`pool:${i}`, `${i}`));
    const values = await together(500, i => pool.get(`pool:${i}`));
    ok(values.every((v, i) => v === `${i}`));
    pool.destroy();
  }],
  ['password', async ({ r, open, options }) => {
    await r.configSet('requirepass', 'pass');
    try {
      equal(await (await open({ password: 'pass' })).ping(), 'PONG');
      equal(await (await open({ username: 'default', password: 'pass' })).ping(), 'PONG');
      await rejects(open({ password: 'wrong', socket: { ...options.socket, reconnectStrategy: false } }), /WRONGPASS/);
    } finally {
      await r.configSet('requirepass', '');
    }
  }],
  ['quit by close', async ({ open }) => {
    const c = await open();
    const last = c.set('closing', 'x');
    await c.close();
    equal(await last, 'OK');
  }],
];

const server = [
  ['errors', async ({ r }) => {
    await r.set('str', 'a');
    await rejects(r.incr('str'), { message: 'ERR value is not an integer or out of range' });
    await rejects(r.sendCommand(['NOPE', 'x']), /^Error: ERR unknown command 'NOPE', with args beginning with: 'x'/);
    await rejects(r.sendCommand(['SET', 'k']), { message: "ERR wrong number of arguments for 'set' command" });
  }],
  ['INFO, CONFIG, COMMAND, MEMORY, TIME', async ({ r }) => {
    ok(/redis_version:\d+\./.test(await r.info('server')));
    const config = await r.configGet('maxmemory*');
    equal(config['maxmemory'], '0');
    equal((await r.command()).length, await r.commandCount());
    const [get] = await r.commandInfo(['get']);
    equal([get.name, get.arity, get.firstKeyIndex], ['get', 2, 1]);
    equal(await r.commandGetKeys(['MSET', 'a', '1', 'b', '2']), ['a', 'b']);
    await r.set('mem', 'x'.repeat(5000));
    ok(await r.memoryUsage('mem') >= 5000);
    equal(await r.echo('hi'), 'hi');
    equal((await r.role()).role, 'master');
  }],
  ['HELLO', async ({ open, protocol }) => {
    const hello = await (await open()).hello();
    equal([hello.server, hello.proto, hello.mode, hello.role], ['redis', protocol, 'standalone', 'master']);
  }],
];

// runRedis runs all checks against a server, in a version of the protocol.
export async function runRedis(host, port, protocol) {
  const all = [];
  const options = { RESP: protocol, socket: { host, port, reconnectStrategy: n => n > 3 ? new Error('no server') : 50 } };
  const open = async more => {
    const c = createClient({ ...options, ...more });
    c.on('error', () => {}); // commands tell
    all.push(c);
    return c.connect();
  };
  const r = await open();
  await r.flushAll();
  const rows = [...strings, ...keys, ...transactions, ...connections, ...server];
  const score = await run(`redis RESP${protocol}`, rows, { r, open, options, protocol });
  all.forEach(c => c.isOpen && c.destroy());
  return score;
}
