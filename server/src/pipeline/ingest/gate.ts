/** Bounds what waits in memory: HTTP asks `isFull` and answers 503, MQTT awaits `room` and so delays its PUBACK. */
export class Gate {
  readonly #max: number
  #waiting = 0
  #held: (() => void)[] = []

  constructor(max: number) {
    this.#max = max
  }

  get waiting(): number {
    return this.#waiting
  }

  get isFull(): boolean {
    return this.#waiting >= this.#max
  }

  enter(readings: number): void {
    this.#waiting += readings
  }

  leave(readings: number): void {
    this.#waiting -= readings
    while (this.#held.length > 0 && !this.isFull) this.#held.shift()?.()
  }

  /** Calls `go` at once where there is room, else when there is, in the order asked. `go` must enter. */
  whenRoom(go: () => void): void {
    if (this.#held.length === 0 && !this.isFull) go()
    else this.#held.push(go)
  }
}
