import type { Inputs } from './inputs.ts'

const perDay = ({ intervalS }: Inputs) => 86_400 / intervalS

/** The load of a fleet: on an ordinary day, and when all come back after an outage and send what they kept. */
export function loadOf(devices: number, inputs: Inputs) {
  const { intervalS, measured, bytes, estimated, chosen } = inputs
  const usual = devices / intervalS
  const afterOutage = usual + (devices * chosen.outageS) / intervalS / chosen.catchUpS
  const perCore = measured.mqttPerS / measured.cores
  const plain = bytes.reading + bytes.rollup
  const left = chosen.nodes - 1
  return {
    'readings a second': usual,
    [`the same after an outage of ${chosen.outageS / 3_600} h, sent within ${chosen.catchUpS / 60} min`]: afterOutage,
    'cores for that, nodes and PostgreSQL (measured cost by MQTT)': afterOutage / perCore,
    'readings a day': devices * perDay(inputs),
    'GB a year': (devices * perDay(inputs) * 365 * plain) / 1e9,
    [`GB kept, ${chosen.keptDays} days plain`]: (devices * perDay(inputs) * chosen.keptDays * plain) / 1e9,
    [`GB kept, packed after ${chosen.openDays} days`]: (devices * packedBytesOf(inputs)) / 1e9,
    'write-ahead log, MB/s': (usual * bytes.logAlone) / 1e6,
    'connections of a node, one of three dead': devices / left,
    'their memory, GB': (devices / left) * (estimated.socketBytes / 1e9),
    'seconds of TLS handshakes when all come back': devices / left / (estimated.handshakesPerS * chosen.nodeCores),
    'hours to restore, plain':
      (devices * perDay(inputs) * chosen.keptDays * plain) / estimated.restoreBytesPerS / 3_600,
  }
}

/** Bytes of a device where months are packed after a while. */
function packedBytesOf(inputs: Inputs): number {
  const { bytes, estimated, chosen } = inputs
  const open = chosen.openDays * (bytes.reading + bytes.rollup)
  return perDay(inputs) * (open + (chosen.keptDays - chosen.openDays) * estimated.packedBytes)
}

/** How many devices each part of three nodes on one primary carries, the smallest first. */
export function limitsOf(inputs: Inputs): { what: string; devices: number }[] {
  const { intervalS, measured, bytes, estimated, chosen } = inputs
  const left = chosen.nodes - 1
  const restorable = chosen.restoreHours * 3_600 * estimated.restoreBytesPerS
  const perDevice = 1 / intervalS + chosen.outageS / intervalS / chosen.catchUpS
  const plain = perDay(inputs) * chosen.keptDays * (bytes.reading + bytes.rollup)
  return [
    { what: `ports from the balancer to ${left} nodes of one address each`, devices: left * chosen.portsPerAddress },
    { what: `a restore within ${chosen.restoreHours} h, ${chosen.keptDays} days plain`, devices: restorable / plain },
    { what: `memory for connections, ${left} nodes`, devices: (left * chosen.nodeSocketBytes) / estimated.socketBytes },
    { what: 'one primary after an outage', devices: estimated.primaryPerS / perDevice },
    {
      what: `a restore within ${chosen.restoreHours} h, packed after ${chosen.openDays} days`,
      devices: restorable / packedBytesOf(inputs),
    },
    { what: 'one primary on an ordinary day', devices: estimated.primaryPerS * intervalS },
    {
      what: `processors of ${left} nodes after an outage, if PostgreSQL had none of them`,
      devices: (left * chosen.nodeCores * measured.mqttPerS) / measured.cores / perDevice,
    },
    {
      what: 'write-ahead log to the standby on an ordinary day',
      devices: (estimated.logBytesPerS / bytes.logAlone) * intervalS,
    },
  ].sort((a, b) => a.devices - b.devices)
}
