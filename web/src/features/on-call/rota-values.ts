import type { NewRota, Rota } from '@isotherm/contract/on-call.ts'

/** A rota as the form's fields hold it. */
export interface RotaValues {
  name: string
  people: { id: string; name: string }[]
  weekday: string
  time: string
  startsOn: string
}

export const valuesOf = (rota: Rota | undefined, today: string): RotaValues =>
  rota
    ? {
        ...{ name: rota.name, weekday: String(rota.weekday), time: rota.time, startsOn: rota.startsOn },
        people: rota.people.map(({ id, name }) => ({ id, name })),
      }
    : { name: '', people: [], weekday: '1', time: '08:00', startsOn: today }

export const bodyOf = ({ name, people, weekday, time, startsOn }: RotaValues): NewRota => ({
  ...{ name: name.trim(), weekday: Number(weekday), time, startsOn },
  people: people.map(({ id }) => id),
})

/** The list with the one at an index moved by some places, as far as there are any. */
export function moved<T>(list: readonly T[], index: number, by: number): T[] {
  const place = Math.min(Math.max(index + by, 0), list.length - 1)
  const rest = list.toSpliced(index, 1)
  return rest.toSpliced(place, 0, ...list.slice(index, index + 1))
}
