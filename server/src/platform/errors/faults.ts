import type { Message } from '@isotherm/contract/errors.ts'
import { InvalidInput } from './app-error.ts'

// No form has that many.
const most = 200

/** The faults of an input, each at its field, so that a person hears of all at once. */
export class Faults {
  readonly #problems: { path: string; message: Message }[] = []

  /** `key` is below `errors:fields`. */
  add(path: string, key: string, values: Message['values'] = {}): void {
    this.#problems.push({ path, message: { key: `fields.${key}`, values } })
  }

  get all(): readonly { path: string; message: Message }[] {
    return this.#problems
  }

  /** Throws VALIDATION. */
  throwIfAny(): void {
    if (this.#problems.length > 0) throw new InvalidInput(this.#problems.slice(0, most))
  }
}
