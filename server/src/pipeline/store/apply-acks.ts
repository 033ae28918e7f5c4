import { answersSql, intervalsSql } from '../../core/devices/answers-sql.ts'
import type { Batch } from '../batch.ts'
import { booleans, numbers, texts } from './pg-arrays.ts'

/** Takes the devices' answers to their commands; answers to unknown or other devices' commands change nothing. */
export async function applyAcks(batch: Batch): Promise<void> {
  const { client, parts } = batch
  const acks = parts.flatMap(({ acks, message }) =>
    acks.map((ack) => ({ ...ack, imei: message.tracker.imei, receivedAt: message.receivedAt })),
  )
  if (acks.length === 0) return
  const values = [
    texts('text', acks, (ack) => ack.imei),
    texts('text', acks, (ack) => ack.commandId),
    numbers('timestamptz', acks, (ack) => ack.at),
    booleans(acks, (ack) => ack.ok),
    numbers('timestamptz', acks, (ack) => ack.receivedAt),
  ]
  const { rows } = await client.query<Batch['answered'][number]>({ name: 'apply_acks', text: answersSql, values })
  batch.answered = rows
  await keepIntervals(batch)
}

/** Readings of before the answer came were measured at the new interval already. */
async function keepIntervals({ client, answered }: Batch) {
  const told = answered.filter(({ kind, ok }) => kind === 'interval' && ok)
  if (told.length === 0) return
  const values = [
    numbers('int4', told, ({ companyId }) => companyId),
    numbers('int8', told, ({ commandId }) => Number(commandId)),
  ]
  for (const [name, text] of Object.entries(intervalsSql)) await client.query({ name, text, values })
}
