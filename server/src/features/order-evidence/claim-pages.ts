import type { Holder } from '@isotherm/contract/order-evidence.ts'
import { shownCoverage } from '@isotherm/contract/shown-figures.ts'
import { provesInRange } from '@isotherm/contract/stats.ts'
import { claimWords, even, printHashes, printNotice, type Say, texts } from '../../reporting/claims/claim-pages.ts'
import { type Fact, factTable, issuedFact } from '../../reporting/facts.ts'
import type { Digest } from '../../reporting/layout.ts'
import { ink, type Paper, paragraph, tones } from '../../reporting/paper.ts'
import { keptTable } from '../../reporting/table.ts'
import { printTitle } from '../../reporting/title.ts'
import type { ClaimContent } from './claim-content.ts'

/** The pages of a claim pack: the letter, then what it rests on. */
export function printClaim(paper: Paper, content: ClaimContent, digest: Digest): void {
  const say = claimWords(content.locale)
  printLetter(paper, content, say)
  printNotice(paper, content, say)
  printCustody(paper, content, say)
  printConditions(paper, content, say)
  printHandOvers(paper, content, say)
  printDwell(paper, content, say)
  printTimeline(paper, content, say)
  printHashes(paper, { files: content.files, digest }, say)
}

const holderText = (say: Say, { kind, name }: Holder) =>
  name ? `${say(`holders.${kind}`)}: ${name}` : say(`holders.${kind}`)

function printLetter(paper: Paper, content: ClaimContent, say: Say) {
  const { order, custody } = content
  const { words } = paper
  printTitle(paper, {
    title: say('title', { code: order.trackingCode }),
    subtitle: say('subtitle', { company: content.company }),
  })
  const carrier = [order.driver?.name, order.vehicle && `${order.vehicle.name}, ${order.vehicle.plate}`]
  const facts: Fact[] = [
    [say('facts.to'), carrier.filter(Boolean).join(' · ') || words.dash],
    [say('facts.date'), words.date(content.issuedAt)],
    [say('facts.order'), [order.trackingCode, order.reference].filter(Boolean).join(' · ')],
    [say('facts.sender'), `${order.sender.name}, ${order.pickup.address}`],
    ...order.receiverList.map(({ party, stop }): Fact => [say('facts.receiver'), `${party.name}, ${stop.address}`]),
    [
      say('facts.goods'),
      order.receiverList.flatMap(({ items }) => items.map(({ quantity, name }) => `${quantity} × ${name}`)).join(', '),
    ],
    issuedFact(words, content),
  ]
  factTable(paper, facts)
  const text = { size: 9.5, color: ink }
  const out = custody?.totals ?? []
  paragraph(paper, say('letter.dear'), text)
  const found = out.length > 0 ? 'outside' : provesInRange(order) ? 'inside' : 'unproven'
  paragraph(paper, say(`letter.${found}`, { code: order.trackingCode }), text)
  for (const { holder, ms } of out)
    paragraph(paper, `• ${words.named(holderText(say, holder), words.duration(ms))}`, text)
  paragraph(paper, say('letter.reserve'), text)
  paragraph(paper, say('letter.sign', { company: content.company }), text)
}

function printCustody(paper: Paper, { custody }: ClaimContent, say: Say) {
  if (!custody) return
  const { words } = paper
  for (const { name, stretches } of custody.devices)
    keptTable(
      paper,
      words.named(say('custody.title'), name),
      even([say('custody.holder'), say('custody.from'), say('custody.to'), say('custody.out')]),
      stretches.map(({ holder, from, to, outMs }) => [
        ...texts([holderText(say, holder), words.time(from), words.time(to)]),
        outMs > 0 ? { text: words.duration(outMs), color: tones.warm, strong: true } : { text: words.dash },
      ]),
    )
  if (custody.hiddenDevices > 0) paragraph(paper, say('custody.hidden', { count: custody.hiddenDevices }))
}

function printConditions(paper: Paper, { devices }: ClaimContent, say: Say) {
  if (devices.length === 0) return
  const { words } = paper
  const names = ['device', 'lowest', 'highest', 'kinetic', 'out', 'coverage']
  keptTable(
    paper,
    say('conditions.title'),
    even(names.map((name) => say(`conditions.${name}`))),
    devices.map(({ name, stats: { temperature } }) =>
      texts([
        name,
        words.celsius(temperature.min?.value),
        words.celsius(temperature.max?.value),
        words.celsius(temperature.mkt?.valueC),
        words.duration(temperature.aboveMs + temperature.belowMs),
        temperature.coveragePct === null ? words.dash : words.percent(shownCoverage(temperature.coveragePct), 1),
      ]),
    ),
  )
}

function printHandOvers(paper: Paper, { handOvers }: ClaimContent, say: Say) {
  if (handOvers.length === 0) return
  keptTable(
    paper,
    say('handOvers.title'),
    even([say('facts.receiver'), say('handOvers.at'), say('handOvers.outcome'), say('handOvers.signer'), 'SHA-256']),
    handOvers.map(({ receiver, at, outcome, signer, sha256, isVoid, reservation }) =>
      texts([
        receiver,
        paper.words.time(at),
        [say(`handOvers.outcomes.${outcome}`), reservation, isVoid ? say('handOvers.void') : null]
          .filter(Boolean)
          .join(' · '),
        sha256 === null ? say('handOvers.byFence') : signer,
        sha256 ?? paper.words.dash,
      ]),
    ),
  )
}

function printDwell(paper: Paper, { dwell }: ClaimContent, say: Say) {
  if (dwell.stays.length === 0) return
  const { words } = paper
  keptTable(
    paper,
    say('dwell.title', { minutes: dwell.freeMinutes }),
    even([say('dwell.place'), say('dwell.in'), say('dwell.out'), say('dwell.waited'), say('dwell.beyond')]),
    dwell.stays.map(({ name, in: from, out, waitedMs, beyondMs }) =>
      texts([
        ...[name, words.time(from), out ? words.time(out) : words.dash, words.duration(waitedMs)],
        beyondMs > 0 ? words.duration(beyondMs) : words.dash,
      ]),
    ),
  )
}

function printTimeline(paper: Paper, { events }: ClaimContent, say: Say) {
  if (events.length === 0) return
  keptTable(
    paper,
    say('timeline.title'),
    even([say('timeline.occurred'), say('timeline.recorded'), say('timeline.event'), say('timeline.by')]),
    events.map(({ at, recordedAt, kind, by, source, place }) =>
      texts([
        ...[paper.words.exactTime(at), paper.words.exactTime(recordedAt)],
        [say(`events.${kind}`), place].filter(Boolean).join(' · '),
        [by, say(`sources.${source}`)].filter(Boolean).join(' · '),
      ]),
    ),
  )
}
