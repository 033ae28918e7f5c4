export type Letter = 'a' | 'b'

/** Who a text goes to: the tenant, and whether that person may know of its private devices. */
export interface Reader {
  tenant: Letter | 'none'
  isAdmin: boolean
}

interface Found {
  text: string
  owner: Owner
}

interface Owner {
  tenant: Letter
  /** The world whose private device it belongs to; 0 for what everybody of the tenant may know. */
  world: number
}

// Names, 15 digits of an IMEI, and numbers with two decimals or more: everything else is no canary of ours.
const tokens = /canary-([ab])-private-(\d+)|canary-([ab])|(?<!\d)\d{15}(?!\d)|(?<![\d.])[-\u2212]?\d{1,3}[.,]\d{2,5}/gi

const letterOf = (text: string) => text.toLowerCase() as Letter

/** What belongs to one tenant only: texts that name it, hardware, and values that no other device measures. */
export class Canaries {
  readonly #known = new Map<string, Owner>()

  /** An IMEI, or a number as it is written in answers. */
  add(text: string, tenant: Letter, world = 0) {
    this.#known.set(text, { tenant, world })
  }

  /** Every canary in a text, with its owner. */
  in(text: string): Found[] {
    return [...text.matchAll(tokens)].flatMap(([token, ofPrivate, world, ofTenant]) => {
      if (ofPrivate) return [{ text: token, owner: { tenant: letterOf(ofPrivate), world: Number(world) } }]
      if (ofTenant) return [{ text: token, owner: { tenant: letterOf(ofTenant), world: 0 } }]
      const owner = this.#known.get(token.replace('\u2212', '-').replace(',', '.'))
      return owner ? [{ text: token, owner }] : []
    })
  }

  /** Those canaries of a text that its reader may not know. `hiddenUpTo`: the newest world whose private device is private by now. */
  leaksTo(reader: Reader, found: Found[], hiddenUpTo: number): string[] {
    const told = found.filter(
      ({ owner }) =>
        owner.tenant !== reader.tenant || (!reader.isAdmin && owner.world > 0 && owner.world <= hiddenUpTo),
    )
    return [...new Set(told.map((each) => each.text))]
  }
}
