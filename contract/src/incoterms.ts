import type { Incoterm, LegMode } from './shipments.ts'

/** The terms of Incoterms 2020. Those made for ships, where goods are handed over at the side or on board, have the one that is meant on other ways. */
const terms: Record<Incoterm, { elsewhere?: Incoterm }> = {
  ...{ EXW: {}, FCA: {}, CPT: {}, CIP: {}, DAP: {}, DPU: {}, DDP: {} },
  ...{ FAS: { elsewhere: 'FCA' }, FOB: { elsewhere: 'FCA' }, CFR: { elsewhere: 'CPT' }, CIF: { elsewhere: 'CIP' } },
}

/** Terms of older editions, and what takes their place. */
const former: Record<string, Incoterm> = { DAT: 'DPU', DDU: 'DAP', DAF: 'DAP', DES: 'DAP', DEQ: 'DPU' }

const isTerm = (code: string): code is Incoterm => Object.hasOwn(terms, code)

/** A term of Incoterms 2020; where it is one of an older edition, the one to ask about. */
export function incoterm(text: string): { value: Incoterm } | { fault: 'form'; didYouMean?: Incoterm } {
  const code = text.trim().toUpperCase()
  if (isTerm(code)) return { value: code }
  const now = Object.hasOwn(former, code) ? former[code] : undefined
  return now ? { fault: 'form', didYouMean: now } : { fault: 'form' }
}

/**
 * The term that is probably meant, where a ship's term is chosen for goods in a container, or for a way that does not begin by sea: a
 * warning, no error.
 */
export const betterIncoterm = (
  term: Incoterm,
  { mode, isContainer }: { mode: LegMode; isContainer: boolean },
): Incoterm | undefined => (mode !== 'sea' || isContainer ? terms[term].elsewhere : undefined)
