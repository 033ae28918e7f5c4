/** The JSON a tracker and the server exchange: docs/devices.md of the server describes the same from its side. */

export type Reading = {
  /** ISO 8601, UTC. */
  at: string
  temperatureC: number
  humidityPct?: number
  batteryPct: number
  lightLux: number
  lat?: number
  lon?: number
  accuracyM?: number
  speedKmh?: number
  /** Absent for the first probe. */
  probe?: number
  extra?: Record<string, string | number | boolean>
}

export type Ack = { commandId: string; at: string; ok: boolean }
export type Batch = { readings: readonly Reading[]; acks?: readonly Ack[] }

export type Command = { commandId: string; kind: string; value: Readonly<Record<string, unknown>> }

export type Answer = {
  accepted: number
  duplicates: number
  rejected: readonly { index: number; code: string }[]
  commands: readonly Command[]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Reads the answer to a post; null where it is not one. Takes it bare or inside `{success, payload}`. */
export function readAnswer(body: unknown): Answer | null {
  const payload = isRecord(body) && isRecord(body.payload) ? body.payload : body
  if (!isRecord(payload) || typeof payload.accepted !== 'number') return null
  return {
    accepted: payload.accepted,
    duplicates: typeof payload.duplicates === 'number' ? payload.duplicates : 0,
    rejected: Array.isArray(payload.rejected)
      ? payload.rejected.filter(isRecord).map((entry) => ({ index: Number(entry.index), code: String(entry.code) }))
      : [],
    commands: Array.isArray(payload.commands)
      ? payload.commands.map(readCommand).filter((command) => command !== null)
      : [],
  }
}

/** A command as it arrives by either protocol, its settings in `value` or `params`; null where it is none. */
export function readCommand(sent: unknown): Command | null {
  if (!isRecord(sent) || typeof sent.commandId !== 'string' || typeof sent.kind !== 'string') return null
  const value = sent.value ?? sent.params
  return { commandId: sent.commandId, kind: sent.kind, value: isRecord(value) ? value : {} }
}

/** The commands in an MQTT message on `devices/{imei}/commands`: `{commands: [...]}`, one alone, or none (an emptied message). */
export function readCommands(payload: string): Command[] {
  let body: unknown
  try {
    body = JSON.parse(payload)
  } catch {
    return []
  }
  const list = isRecord(body) && Array.isArray(body.commands) ? body.commands : [body]
  return list.map(readCommand).filter((command) => command !== null)
}
