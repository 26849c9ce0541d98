"use strict";
// The page's program. All text of a run is set as text, never as HTML.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);
const make = (name, text, cls) => {
  const e = document.createElement(name);
  if (text !== undefined) e.textContent = text;
  if (cls) e.className = cls;
  return e;
};
const seconds = (t, digits = 6) => (t / 1e9).toFixed(digits) + " s";

// The part of the run that the timeline shows, and the moment chosen in the log.
const view = { from: 0, to: data.end };
let cursor = null;

// ---- colours, from the style sheet

let colours = {};
function readColours() {
  const style = getComputedStyle(document.documentElement);
  colours = new Proxy({}, { get: (_, name) => style.getPropertyValue("--" + name).trim() });
}

// ---- lanes

const lanes = [...document.querySelectorAll(".lane")].map((element) => ({
  element, kind: element.dataset.lane, index: Number(element.dataset.index || 0), canvas: element.querySelector("canvas"), hits: [], height: 0,
}));

// stack gives each bar the first row in which it overlaps none before it.
function stack(bars) {
  const ends = [];
  for (const bar of bars) {
    const until = Math.max(bar.to, bar.from + data.end / 150);
    let at = ends.findIndex((end) => end <= bar.from);
    if (at < 0) at = ends.length;
    ends[at] = until;
    bar.row = at;
  }
  return ends.length;
}

const roleRow = 22, leaseRow = 16, faultRow = 15;
for (const lane of lanes) {
  if (lane.kind === "node") {
    lane.node = data.nodes[lane.index];
    lane.rows = stack(lane.node.faults);
    lane.height = roleRow + leaseRow + 8 + Math.max(2, lane.rows) * faultRow;
  } else {
    lane.height = { overview: 34, axis: 24, density: 40, client: 14 }[lane.kind];
  }
  lane.element.style.height = lane.height + (lane.kind === "client" ? 0 : 1) + "px";
}

// pen is what lanes draw with: a canvas of device pixels, and where times lie.
function pen(lane) {
  const ratio = window.devicePixelRatio || 1, width = lane.element.clientWidth - lane.element.firstElementChild.offsetWidth;
  const canvas = lane.canvas;
  canvas.width = Math.max(1, Math.round(width * ratio));
  canvas.height = Math.round(lane.height * ratio);
  canvas.style.height = lane.height + "px";
  const g = canvas.getContext("2d");
  g.scale(ratio, ratio);
  g.font = "11px system-ui, sans-serif";
  g.textBaseline = "middle";
  const whole = lane.kind === "overview";
  const from = whole ? 0 : view.from, span = whole ? data.end : view.to - view.from;
  lane.hits = [];
  return { g, width, lane, x: (t) => ((t - from) / span) * width };
}

// bar draws a bar with its text, if that fits, and remembers what it is about.
function bar(p, from, to, y, height, colour, label, about, ink) {
  let a = p.x(from), b = Math.max(p.x(to), a + 3);
  if (b < 0 || a > p.width) return;
  p.lane.hits.push([a, b, y, y + height, about]);
  a = Math.max(a, -2);
  b = Math.min(b, p.width + 2);
  p.g.fillStyle = colour;
  p.g.fillRect(a, y, b - a, height);
  if (label && p.g.measureText(label).width < b - a - 8) {
    p.g.fillStyle = ink || colours.ondark;
    p.g.fillText(label, Math.max(a, 0) + 4, y + height / 2 + 0.5);
  }
}

function line(p, t, colour, dash) {
  const x = p.x(t);
  if (x < -1 || x > p.width + 1) return;
  p.g.strokeStyle = colour;
  p.g.lineWidth = 1.5;
  p.g.setLineDash(dash || []);
  p.g.beginPath();
  p.g.moveTo(x, 0);
  p.g.lineTo(x, p.lane.height);
  p.g.stroke();
  p.g.setLineDash([]);
}

// step is the distance of the axis' ticks, in nanoseconds.
function tick(p) {
  const least = ((view.to - view.from) / p.width) * 80;
  for (let unit = 1000; ; unit *= 10) {
    for (const n of [1, 2, 5]) if (n * unit >= least) return n * unit;
  }
}

function grid(p) {
  const every = tick(p);
  p.g.fillStyle = colours.axis;
  for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) p.g.fillRect(p.x(t), 0, 1, p.lane.height);
  return every;
}

const inks = { leader: "ondark", candidate: "onlight", follower: "ink", starting: "ink", down: "ondark" };

const draw = {
  overview(p) {
    data.nodes.forEach((node, i) => {
      const height = Math.max(2, 24 / data.nodes.length), y = 4 + i * height;
      for (const r of node.roles) bar(p, r.from, r.to, y, height - 1, colours[r.is] || colours.starting);
      for (const f of node.faults) bar(p, f.from, f.to, y, height - 1, colours[f.family]);
    });
    p.lane.hits = [];
    const a = p.x(view.from), b = p.x(view.to);
    p.g.fillStyle = colours.panel;
    p.g.globalAlpha = 0.72;
    p.g.fillRect(0, 0, a, p.lane.height);
    p.g.fillRect(b, 0, p.width - b, p.lane.height);
    p.g.globalAlpha = 1;
    p.g.strokeStyle = colours.accent;
    p.g.lineWidth = 2;
    p.g.strokeRect(a + 1, 1, Math.max(2, b - a - 2), p.lane.height - 2);
  },

  axis(p) {
    const every = grid(p), digits = Math.max(0, Math.min(6, 9 - Math.floor(Math.log10(every))));
    p.g.fillStyle = colours.soft;
    for (let t = Math.ceil(view.from / every) * every; t <= view.to; t += every) p.g.fillText(seconds(t, digits), p.x(t) + 4, 12);
  },

  node(p) {
    grid(p);
    const node = p.lane.node;
    let up = 0;
    for (const s of node.spans) {
      if (s.from > up) bar(p, up, s.from, 3, roleRow - 3, colours.down, "down", node.name + " is down\nfrom " + seconds(up) + " to " + seconds(s.from), colours.ondark);
      up = s.to;
    }
    if (up < data.end) bar(p, up, data.end, 3, roleRow - 3, colours.down, "down", node.name + " is down from " + seconds(up) + " on", colours.ondark);
    for (const r of node.roles) {
      const known = inks[r.is] ? r.is : "down", name = r.is + (r.text ? ", " + r.text : "");
      bar(p, r.from, r.to, 3, roleRow - 3, colours[known], name, node.name + " is " + name + "\nfrom " + seconds(r.from) + " to " + seconds(r.to), colours[inks[known]]);
    }
    for (const s of node.spans) {
      if (s.from > 0) bar(p, s.from, s.from, 1, roleRow, colours.ink, "", node.name + " starts, " + s.is + "\nat " + seconds(s.from));
      if (s.text) bar(p, s.to, s.to, 1, roleRow, colours.crash, "", node.name + ", " + s.is + ": " + s.text + "\nat " + seconds(s.to));
    }
    const y = roleRow + 3;
    for (const l of node.leases) bar(p, l.from, l.to, y, 5, colours.lease, "", node.name + " holds its lease\nfrom " + seconds(l.from) + " to " + seconds(l.to));
    let free = -1;
    for (const e of node.epochs) {
      const x = p.x(e.at);
      if (x < 0 || x > p.width) continue;
      p.g.fillStyle = colours.ink;
      p.g.fillRect(x, y - 1, 1, 9);
      p.lane.hits.push([x - 3, x + 4, y - 1, y + 12, node.name + " learns of a map of slots with " + e.text + "\nat " + seconds(e.at)]);
      if (x > free) {
        p.g.font = "10px system-ui, sans-serif";
        p.g.fillStyle = colours.soft;
        p.g.fillText(e.text, x + 3, y + 10);
        free = x + p.g.measureText(e.text).width + 8;
        p.g.font = "11px system-ui, sans-serif";
      }
    }
    for (const f of node.faults) {
      const about = f.is + " of " + node.name + "\nfrom " + seconds(f.from, 3) + " to " + seconds(f.to, 3) + "\n" + f.text;
      bar(p, f.from, f.to, roleRow + leaseRow + 4 + f.row * faultRow, faultRow - 2, colours[f.family], f.is, about, colours.panel);
    }
  },

  density(p) {
    grid(p);
    const bins = Math.max(10, Math.floor(p.width / 6)), counts = [];
    for (let i = 0; i < bins; i++) counts.push({ ok: 0, refused: 0, unknown: 0 });
    for (const ops of data.ops) {
      for (const o of ops) {
        const at = Math.floor(((o.call - view.from) / (view.to - view.from)) * bins);
        if (at >= 0 && at < bins) counts[at][o.is]++;
      }
    }
    const most = Math.max(1, ...counts.map((c) => c.ok + c.refused + c.unknown));
    counts.forEach((c, i) => {
      let y = p.lane.height;
      for (const is of ["ok", "refused", "unknown"]) {
        const h = (c[is] / most) * (p.lane.height - 4);
        p.g.fillStyle = colours[is];
        p.g.fillRect((i * p.width) / bins, y - h, p.width / bins - 1, h);
        y -= h;
      }
      const a = view.from + ((view.to - view.from) * i) / bins;
      p.lane.hits.push([(i * p.width) / bins, ((i + 1) * p.width) / bins, 0, p.lane.height,
        "from " + seconds(a, 3) + ":\n" + c.ok + " operations answered, " + c.refused + " refused, " + c.unknown + " with unknown outcome"]);
    });
  },

  client(p) {
    const ops = data.ops[p.lane.index];
    for (const o of ops) {
      const to = o.return < 0 ? Math.min(data.end, o.call + 1e9) : o.return;
      const about = "client " + (p.lane.index + 1) + ", " + o.text + "\ncalled at " + seconds(o.call) +
        (o.return < 0 ? "; nobody knows whether and when it took effect" : ", returned at " + seconds(o.return));
      bar(p, o.call, to, 3, 8, colours[o.is], "", about);
      if (o.named) {
        const a = p.x(o.call) - 2, b = Math.max(p.x(to), a + 5) + 2;
        p.g.strokeStyle = colours.bad;
        p.g.lineWidth = 2;
        p.g.strokeRect(a, 1.5, b - a, 11);
      }
    }
  },
};

function paint() {
  readColours();
  for (const lane of lanes) {
    const p = pen(lane);
    draw[lane.kind](p);
    line(p, data.healed, colours.good, [4, 3]);
    for (const m of data.marks) line(p, m.at, colours.bad);
    if (cursor !== null) line(p, cursor, colours.accent, [2, 2]);
  }
  byId("window").textContent = seconds(view.from, 3) + " to " + seconds(view.to, 3) + " of " + seconds(data.end, 3);
}

let waiting = false;
function repaint() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    paint();
    if (byId("inview").checked) filter();
  });
}

// ---- moving and zooming

function show(from, to) {
  const span = Math.min(Math.max(to - from, 20_000), data.end);
  view.from = Math.min(Math.max(0, from), data.end - span);
  view.to = view.from + span;
  repaint();
}

function zoom(by, around) {
  const span = (view.to - view.from) * by, at = around === undefined ? (view.from + view.to) / 2 : around;
  const share = (at - view.from) / (view.to - view.from);
  show(at - span * share, at - span * share + span);
}

function pan(share) {
  const by = (view.to - view.from) * share;
  show(view.from + by, view.to + by);
}

// goTo shows a moment, with some of what is around it.
function goTo(t, span) {
  const width = Math.min(span || Math.min(view.to - view.from, 4e9), data.end);
  show(t - width / 2, t + width / 2);
}

const acts = {
  in: () => zoom(0.5), out: () => zoom(2), left: () => pan(-0.3), right: () => pan(0.3), all: () => show(0, data.end),
  focus: () => { cursor = data.focus; goTo(data.focus, 4e9); reveal(data.focus); },
};
for (const b of document.querySelectorAll("[data-do]")) b.addEventListener("click", () => acts[b.dataset.do]());

const area = byId("lanes"), tip = byId("tip");
area.addEventListener("keydown", (e) => {
  const act = { "+": "in", "=": "in", "-": "out", ArrowLeft: "left", ArrowRight: "right", 0: "all", f: "focus" }[e.key];
  if (!act || e.ctrlKey || e.metaKey) return;
  e.preventDefault();
  acts[act]();
});

const laneAt = (e) => lanes.find((l) => l.element.contains(e.target) && e.target === l.canvas);
function timeAt(lane, e) {
  const box = lane.canvas.getBoundingClientRect(), share = (e.clientX - box.left) / box.width;
  return lane.kind === "overview" ? share * data.end : view.from + share * (view.to - view.from);
}

area.addEventListener("wheel", (e) => {
  const lane = laneAt(e);
  if (!lane) return;
  if (e.ctrlKey || e.metaKey) {
    e.preventDefault();
    zoom(Math.exp(e.deltaY * 0.003), timeAt(lane, e));
  } else if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
    e.preventDefault();
    pan((e.deltaX || e.deltaY) / 1200);
  }
}, { passive: false });

area.addEventListener("dblclick", (e) => {
  const lane = laneAt(e);
  if (lane) zoom(0.4, timeAt(lane, e));
});

// Pointers that are down: one moves, two zoom.
const down = new Map();
let moved = false;
area.addEventListener("pointerdown", (e) => {
  const lane = laneAt(e);
  if (!lane) return;
  down.set(e.pointerId, { x: e.clientX, lane });
  moved = false;
  area.setPointerCapture(e.pointerId);
  if (lane.kind === "overview") centre(lane, e);
});

function centre(lane, e) {
  const box = lane.canvas.getBoundingClientRect(), half = (view.to - view.from) / 2;
  const t = ((e.clientX - box.left) / box.width) * data.end;
  show(t - half, t + half);
}

area.addEventListener("pointermove", (e) => {
  const from = down.get(e.pointerId);
  if (!from) return hover(e);
  const by = e.clientX - from.x, width = from.lane.canvas.clientWidth;
  if (Math.abs(by) > 3 || moved) {
    moved = true;
    tip.hidden = true;
    area.classList.add("moving");
    if (from.lane.kind === "overview") centre(from.lane, e);
    else if (down.size === 2) pinch(e, from);
    else pan(-by / width);
    from.x = e.clientX;
  }
});

function pinch(e, from) {
  const other = [...down].find(([id]) => id !== e.pointerId)[1];
  const before = Math.abs(from.x - other.x), now = Math.abs(e.clientX - other.x);
  if (before > 10 && now > 10) zoom(before / now);
}

for (const end of ["pointerup", "pointercancel"]) {
  area.addEventListener(end, (e) => {
    const from = down.get(e.pointerId);
    down.delete(e.pointerId);
    area.classList.remove("moving");
    if (from && !moved && end === "pointerup" && from.lane.kind !== "overview") {
      const box = from.lane.canvas.getBoundingClientRect();
      cursor = view.from + ((e.clientX - box.left) / box.width) * (view.to - view.from);
      reveal(cursor);
      repaint();
    }
  });
}

function hover(e) {
  const lane = laneAt(e);
  if (!lane) { tip.hidden = true; return; }
  const box = lane.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
  const hit = lane.hits.findLast((h) => h[4] && x >= h[0] - 1 && x <= h[1] + 1 && y >= h[2] && y <= h[3]);
  const near = data.marks.find((m) => Math.abs(((m.at - view.from) / (view.to - view.from)) * box.width - x) < 3);
  const t = timeAt(lane, e);
  tip.textContent = (hit ? hit[4] + "\n" : "") + (near && lane.kind !== "overview" ? near.text + ": " + seconds(near.at) + "\n" : "") + "here: " + seconds(t);
  tip.hidden = false;
  tip.style.left = Math.min(e.clientX + 14, innerWidth - tip.offsetWidth - 8) + "px";
  tip.style.top = Math.min(e.clientY + 16, innerHeight - tip.offsetHeight - 8) + "px";
}
area.addEventListener("pointerleave", () => { tip.hidden = true; });

for (const link of document.querySelectorAll("a[data-at]")) {
  link.addEventListener("click", (e) => {
    e.preventDefault();
    cursor = Number(link.dataset.at);
    goTo(cursor, 2e9);
    reveal(cursor);
    byId("h-time").scrollIntoView();
  });
}

// ---- the log

const rows = data.rows, rowHeight = 22, box = byId("log");
let shown = [], chosen = -1, causes = new Set();

// The two ends of each message.
const sentAt = new Map(), gotAt = new Map();
rows.forEach((r, i) => {
  if (!r.m) return;
  (data.kinds[r.k] === "sent" ? sentAt : gotAt).set(r.m, i);
});

const off = { who: new Set(), kind: new Set() };

function chips(into, names, hidden, title) {
  for (const name of names) {
    const b = make("button", name);
    b.type = "button";
    b.title = title;
    b.setAttribute("aria-pressed", "true");
    into.append(b);
    toggle(b, name, hidden);
  }
}

// toggle hides or shows what a chip names; with Shift or a double click it leaves
// only that.
function toggle(b, name, hidden) {
  const only = () => {
    const all = [...b.parentElement.querySelectorAll("button")], alone = !hidden.has(name) && hidden.size === all.length - 1;
    hidden.clear();
    if (!alone) all.forEach((o) => { if (o !== b) hidden.add(o.textContent); });
  };
  b.addEventListener("click", (e) => {
    if (e.shiftKey) only();
    else if (!hidden.delete(name)) hidden.add(name);
    press(b.parentElement, hidden);
  });
  b.addEventListener("dblclick", () => { only(); press(b.parentElement, hidden); });
}

function press(parent, hidden) {
  for (const o of parent.querySelectorAll("button")) o.setAttribute("aria-pressed", String(!hidden.has(o.textContent)));
  filter();
}

const people = new Set(data.nodes.map((n) => n.name));
for (const r of rows) for (const name of [r.w, r.o]) if (name) people.add(name);
const order = (name) => (name.startsWith("node") ? 0 : name.startsWith("client") ? 1e4 : 2e4) + Number((name.match(/\d+$/) || [0])[0]);
chips(byId("whos"), [...people].sort((a, b) => order(a) - order(b)), off.who, "Hide or show; double-click for this one alone");
for (const b of byId("kinds").querySelectorAll("button")) {
  b.title += ". Click to hide or show, double-click for this one alone";
  toggle(b, b.dataset.kind, off.kind);
}

// matcher makes a test of what is searched for: text, or an expression in slashes.
function matcher() {
  const input = byId("search"), text = input.value.trim();
  input.classList.remove("wrong");
  if (!text) return () => true;
  const expression = text.match(/^\/(.+)\/(i?)$/);
  if (expression) {
    try {
      const re = new RegExp(expression[1], expression[2]);
      return (s) => re.test(s);
    } catch {
      input.classList.add("wrong");
      return () => true;
    }
  }
  const low = text.toLowerCase();
  return (s) => s.toLowerCase().includes(low);
}

function filter() {
  const fits = matcher(), within = byId("inview").checked, notable = byId("notable").checked;
  shown = [];
  rows.forEach((r, i) => {
    if (notable && !r.b) return;
    if (within && (r.t < view.from || r.t > view.to)) return;
    if (off.kind.has(data.kinds[r.k])) return;
    if (r.w && off.who.has(r.w) && (!r.o || off.who.has(r.o))) return;
    if (!fits(r.x + " " + r.w + " " + (r.o || ""))) return;
    shown.push(i);
  });
  byId("sizer").style.height = shown.length * rowHeight + "px";
  byId("count").textContent = shown.length + " of " + rows.length + " lines";
  list();
}

const whoOf = (r) => r.w + (r.o ? ({ sent: " \u2192 ", arrived: " \u2190 " }[data.kinds[r.k]] || ", ") + r.o : "");

// list draws the lines that are in sight.
function list() {
  const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 5), last = Math.min(shown.length, first + Math.ceil(box.clientHeight / rowHeight) + 12);
  const into = byId("rows");
  into.textContent = "";
  into.style.top = first * rowHeight + "px";
  for (let n = first; n < last; n++) {
    const i = shown[n], r = rows[i];
    const e = make("div", undefined, "row" + (r.b ? " notable" : "") + (i === chosen ? " chosen" : "") + (causes.has(i) ? " cause" : ""));
    e.append(make("span", r.n, "step"), make("span", (r.t / 1e9).toFixed(6)), make("span", data.kinds[r.k], "kind"), make("span", whoOf(r)), make("span", r.x, "what"));
    e.addEventListener("click", () => choose(i));
    into.append(e);
  }
}
box.addEventListener("scroll", list);
box.addEventListener("keydown", (e) => {
  const by = { ArrowDown: 1, ArrowUp: -1 }[e.key];
  if (!by) return;
  e.preventDefault();
  const at = shown.indexOf(chosen), next = shown[Math.min(shown.length - 1, Math.max(0, at + by))];
  if (next !== undefined) { choose(next); bring(next); }
});

// bring scrolls to a line, and lets it through the filters if need be.
function bring(i) {
  let at = shown.indexOf(i);
  if (at < 0) {
    byId("search").value = "";
    byId("inview").checked = byId("notable").checked = false;
    off.who.clear();
    off.kind.clear();
    press(byId("whos"), off.who);
    press(byId("kinds"), off.kind);
    at = shown.indexOf(i);
  }
  const top = at * rowHeight;
  if (top < box.scrollTop + 40 || top > box.scrollTop + box.clientHeight - 60) box.scrollTop = top - box.clientHeight / 2;
  list();
}

// reveal scrolls to the first line that is not before a moment.
function reveal(t) {
  let low = 0, high = shown.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (rows[shown[mid]].t < t) low = mid + 1; else high = mid;
  }
  box.scrollTop = low * rowHeight - box.clientHeight / 2;
  list();
}

function choose(i) {
  chosen = i;
  cursor = rows[i].t;
  if (cursor < view.from || cursor > view.to) goTo(cursor);
  try { history.replaceState(null, "", "#t=" + (cursor / 1e9).toFixed(9)); } catch { /* not where it has no address */ }
  detail(i);
  list();
  repaint();
}

// led gives what came before a line: what the same one learnt last before it, who
// had sent that, and so on back.
function led(i) {
  const list = [];
  for (let at = i; list.length < 16; ) {
    const r = rows[at];
    if (data.kinds[r.k] === "arrived" && sentAt.has(r.m) && sentAt.get(r.m) < at) {
      at = sentAt.get(r.m);
      list.push(at);
      continue;
    }
    if (!r.w.startsWith("node") && at !== i) break; // what a client asks for is its own idea
    let before = at - 1;
    while (before >= 0 && !(rows[before].w === r.w && (rows[before].b || data.kinds[rows[before].k] === "arrived"))) before--;
    if (before < 0 || !r.w) break;
    at = before;
    list.push(at);
  }
  return list;
}

function detail(i) {
  const r = rows[i], into = byId("detail");
  into.textContent = "";
  into.append(make("p", "step " + r.n + ", " + seconds(r.t), "faint"), make("p", data.kinds[r.k] + ": " + whoOf(r)), make("p", r.x, "whole"));
  if (r.m) ends(r, i, into);
  const before = led(i);
  causes = new Set(before);
  steps(into, "What led to it, followed back through the messages", before);
  if (r.w.startsWith("node")) steps(into, "What " + r.w + " had been through before", past(i));
}

// past gives what is worth knowing of a node before a line: how it stood, and the
// faults that it had.
function past(i) {
  const list = [], worth = new Set(["fault", "life", "role", "lease"]);
  let leases = 0;
  for (let at = i - 1; at >= 0 && list.length < 12; at--) {
    const r = rows[at], kind = data.kinds[r.k];
    if (r.w !== rows[i].w || !(r.b || worth.has(kind)) || (kind === "lease" && !r.b && leases++ > 1)) continue;
    list.push(at);
  }
  return list;
}

// steps lists lines of the log, each with a way to it.
function steps(into, title, list) {
  into.append(make("h4", title));
  if (!list.length) into.append(make("p", "Nothing on this page.", "faint"));
  const items = make("ol");
  for (const j of list) {
    const item = make("li");
    item.append(make("span", seconds(rows[j].t) + " " + data.kinds[rows[j].k] + " " + whoOf(rows[j]), "faint"), make("div", rows[j].x.slice(0, 240)));
    item.addEventListener("click", () => { choose(j); bring(j); });
    items.append(item);
  }
  into.append(items);
}

// ends tells of the other end of a message, with a way to it.
function ends(r, i, into) {
  const sent = data.kinds[r.k] === "sent", other = (sent ? gotAt : sentAt).get(r.m);
  if (other === undefined) {
    into.append(make("p", sent ? (data.cut ? "Where it arrives is not on this page, or it never does." : "It never arrives.") : "Where it was sent is not on this page.", "faint"));
    return;
  }
  const took = Math.abs(rows[other].t - r.t), b = make("button", sent ? "To where it arrives" : "To where it was sent");
  b.type = "button";
  b.addEventListener("click", () => { choose(other); bring(other); });
  into.append(make("p", "message " + r.m + (sent ? " arrives at " : " was sent at ") + seconds(rows[other].t) + ", " + (took / 1e6).toFixed(3) + " ms " + (sent ? "later" : "before")), b);
}

// ---- the pictures of keys: each measures its text when it is drawn, so it is drawn
// when it is in sight

const sight = new IntersectionObserver((seen) => {
  for (const s of seen) {
    if (!s.isIntersecting || s.target.srcdoc) continue;
    s.target.srcdoc = s.target.dataset.page;
  }
});
document.querySelectorAll("iframe").forEach((f) => sight.observe(f));

// ---- the start

// go shows the moment that the address names, as in page.html#t=7.5, or that of the
// failure, with the line of the log that is about it.
function go(t) {
  const at = rows.findIndex((r) => r.t >= t), exact = rows.findIndex((r) => r.t === t && r.w.startsWith("node") && r.k === data.kinds.indexOf("reply"));
  reveal(t);
  if (at >= 0) choose(exact >= 0 ? exact : at);
}
function address() {
  const t = location.hash.match(/^#t=([\d.]+)$/);
  if (t) { goTo(Number(t[1]) * 1e9, 2e9); go(Number(t[1]) * 1e9); }
  return t;
}
window.addEventListener("hashchange", address);

byId("copy").addEventListener("click", () => {
  const text = byId("replay").textContent, done = () => { byId("copy").textContent = "Copied"; };
  const choose = () => { getSelection().selectAllChildren(byId("replay")); if (document.execCommand("copy")) done(); };
  if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, choose); else choose();
});
for (const id of ["search", "inview", "notable"]) byId(id).addEventListener("input", filter);
if (data.cut) { byId("cut").textContent = data.cut; byId("cut").hidden = false; }
window.addEventListener("resize", () => { repaint(); list(); });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
filter();
paint();
if (!address()) go(data.focus);
document.documentElement.dataset.ready = "yes";
