import { translate } from '../../platform/i18n/i18n.ts'
import type { Layout } from '../../reporting/layout.ts'
import type { RecordContent } from './record-content.ts'
import { printHourly, printRecord } from './record-pages.ts'

/** A monitoring record in support of a cold treatment: its statements, then the hours of its probes. */
export const layout: Layout<RecordContent> = {
  data: (content) => ({ evidence: evidenceOf(content), devices: measuredOf(content) }),
  pdf({ content, digest }) {
    const title = translate(content.locale, 'coldTreatments:record.title', { number: content.number })
    return {
      title,
      head: `${content.company} · ${title}`,
      sections: [
        { print: (paper) => printRecord(paper, content, digest) },
        { print: (paper) => printHourly(paper, content) },
      ],
    }
  },
}

const evidenceOf = ({ number, carriage, treatment, probes }: RecordContent) => ({
  ...{ number, carriage, protocol: treatment.protocol, clock: treatment.clock, verifiedGaps: treatment.verifiedGaps },
  probes: probes.map(({ rules: _rules, ...probe }) => probe),
})

const measuredOf = ({ probes, period }: RecordContent) =>
  probes.map(({ id, name, rules }) => ({
    ...{ deviceId: id, name, from: Date.parse(period.from), until: Date.parse(period.to), rules, evidence: {} },
  }))
