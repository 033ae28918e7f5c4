import { namedIn } from '@isotherm/contract/named.ts'
import { namesOfProducts, productsOf } from '@isotherm/contract/shipment-products.ts'
import { provesInRange } from '@isotherm/contract/stats.ts'
import { claimWords, printHashes, printNotice } from '../../reporting/claims/claim-pages.ts'
import { type Fact, factTable, issuedFact } from '../../reporting/facts.ts'
import type { Digest } from '../../reporting/layout.ts'
import { ink, type Paper, paragraph } from '../../reporting/paper.ts'
import { printTitle } from '../../reporting/title.ts'
import type { ClaimContent } from './claim-content.ts'
import { holderSaid } from './custody-pages.ts'
import { printEvidence } from './report-pages.ts'
import { carriageOf, mainLeg, placeOf, sayIn, titleOf, unitOf } from './report-words.ts'

/** The pages of a claim: the letter to the carrier, then what it rests on. */
export function printClaim(paper: Paper, content: ClaimContent, digest: Digest): void {
  const say = sayIn(content.locale)
  const shared = claimWords(content.locale)
  printLetter(paper, content)
  printNotice(paper, content, shared)
  printEvidence(paper, content, say)
  printHashes(paper, { files: content.files, digest }, shared)
}

function printLetter(paper: Paper, content: ClaimContent) {
  const { shipment, custody, locale } = content
  const { words } = paper
  const say = sayIn(locale)
  const shared = claimWords(locale)
  const leg = mainLeg(shipment)
  printTitle(paper, { title: titleOf(content), subtitle: shared('subtitle', { company: content.company }) })
  const goods = namesOfProducts(productsOf(shipment))
  const { pallets: count } = shipment
  const pallets = count === null ? null : say('report.claim.pallets', { count, pallets: words.number(count) })
  const facts: [string, string | null | undefined][] = [
    [shared('facts.to'), leg ? (leg.carrierName ?? leg.carrierCode ?? carriageOf(leg)) || words.dash : words.dash],
    [shared('facts.date'), words.date(content.issuedAt)],
    [say('columns.number'), [shipment.number, shipment.reference].filter(Boolean).join(' · ')],
    [say('journey.unit'), leg && [carriageOf(leg), unitOf(leg, say)].filter(Boolean).join(' · ')],
    [say('journey.from'), leg && placeOf(leg.fromName, leg.fromPort)],
    [say('journey.to'), leg && placeOf(leg.toName, leg.toPort)],
    [say('fields.origin'), `${shipment.origin.name}, ${shipment.origin.country}`],
    [say('fields.destination'), `${shipment.destination.name}, ${shipment.destination.country}`],
    [shared('facts.goods'), [goods, pallets].filter(Boolean).join(' · ')],
  ]
  factTable(paper, [
    ...facts.flatMap(([name, value]): Fact[] => (value ? [[name, value]] : [])),
    issuedFact(words, content),
  ])
  const text = { size: 9.5, color: ink }
  const out = (custody?.totals ?? []).filter(({ outsideMs }) => outsideMs > 0)
  paragraph(paper, shared('letter.dear'), text)
  const found = out.length > 0 ? 'outside' : provesInRange(shipment) ? 'inside' : 'unproven'
  paragraph(paper, say(`report.claim.${found}`, { number: shipment.number }), text)
  for (const { holder, outsideMs } of out)
    paragraph(paper, `• ${namedIn(locale, holderSaid(locale, holder), words.duration(outsideMs))}`, text)
  paragraph(paper, say('report.claim.reserve'), text)
  paragraph(paper, shared('letter.sign', { company: content.company }), text)
}
