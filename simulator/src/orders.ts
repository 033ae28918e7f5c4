import { type Duty, obey } from './duty.ts'
import type { Ack, Command } from './protocol/wire.ts'

/** A tracker's settings and its answers to the commands that changed them. */
export type Orders = {
  duty: () => Duty
  /** Carries a command out; false where it is one it has answered before. */
  take: (command: Command, at: number) => boolean
  /** Answers still to be sent. */
  due: () => readonly Ack[]
  /** Forgets the oldest answers: the server has them. */
  sent: (count: number) => void
  /** All recent answers, to recognise a command that comes again. */
  answered: () => readonly Ack[]
  /** Answers once more, with the next report, what was asked once more. */
  repeat: () => void
}

const remembered = 40

/** The server repeats a command until it has the answer; each is carried out once and answered as often as it comes. */
export function ordersOf(duty: Duty, before: readonly Ack[]): Orders {
  let current = duty
  let due: Ack[] = []
  let asked: Ack[] = []
  const answered = new Map(before.map((ack) => [ack.commandId, ack]))
  return {
    duty: () => current,
    take: (command, at) => {
      const earlier = answered.get(command.commandId)
      if (earlier) {
        asked.push(earlier)
        return false
      }
      const { duty: next, ack } = obey(current, command, at)
      current = next
      due.push(ack)
      answered.set(command.commandId, ack)
      for (const id of answered.keys()) {
        if (answered.size <= remembered) break
        answered.delete(id)
      }
      return true
    },
    due: () => due,
    sent: (count) => {
      due = due.slice(count)
    },
    answered: () => [...answered.values()],
    repeat: () => {
      due.push(...asked.filter((ack) => !due.includes(ack)))
      asked = []
    },
  }
}
