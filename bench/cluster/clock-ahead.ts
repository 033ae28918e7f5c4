// Preloaded by a node whose clock goes wrong: CLOCK_AHEAD_MS says by how much. The database's clock is right.
const aheadMs = Number(process.env.CLOCK_AHEAD_MS ?? 0)
const right = Date
const now = () => right.now() + aheadMs

globalThis.Date = new Proxy(right, {
  construct: (target, values, as) => Reflect.construct(target, values.length === 0 ? [now()] : values, as),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})
