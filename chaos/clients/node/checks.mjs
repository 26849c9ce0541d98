// What the checks of both libraries share: running them, counting them, and
// comparing.
import assert from 'node:assert/strict';

export const equal = assert.deepEqual;
export const rejects = assert.rejects;
export const ok = assert.ok;
export const sleep = ms => new Promise(done => setTimeout(done, ms));

const checkTime = 15000;

// run goes through rows of [name, function], prints those that fail, and
// returns how many passed and failed. Each function gets the world: whatever
// the library needs to open clients.
export async function run(title, rows, world) {
  const score = { passed: 0, failed: 0 };
  for (const [name, check] of rows) {
    try {
      await within(checkTime, check(world));
      score.passed++;
    } catch (e) {
      score.failed++;
      console.log(`FAIL ${title}: ${name}: ${where(e)}`);
      if (e.code === 'ECONNREFUSED') break;
    }
  }
  return score;
}

function within(ms, promise) {
  let timer;
  const late = new Promise((_, no) => { timer = setTimeout(no, ms, new Error(`no end after ${ms} ms`)); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// where is an error's text and the line of the check that it comes from.
function where(e) {
  const text = String(e?.message ?? e).split('\n').slice(0, 8).join(' ');
  const line = /(\w+\.mjs:\d+)/.exec(String(e?.stack).replace(/.*checks\.mjs.*/g, ''));
  return `${text.slice(0, 400)} (${line ? line[1] : 'no line'})`;
}

// bytes is every byte once, with a line break in front.
export const bytes = Buffer.concat([Buffer.from('\r\n'), Buffer.from(Array.from({ length: 256 }, (_, i) => i))]);

// together runs n of the same at once.
export const together = (n, work) => Promise.all(Array.from({ length: n }, (_, i) => work(i)));
