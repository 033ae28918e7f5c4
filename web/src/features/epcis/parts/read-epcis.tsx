import { type EpcisRead, epcis } from '@isotherm/contract/epcis.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { listed } from '../../../lib/named.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatTime } from '../../../lib/times.ts'
import { FileButton } from '../../../ui/file-chooser.tsx'
import { Panel } from '../../../ui/panel.tsx'
import classes from './epcis.module.css'
import { EpcisFaults } from './epcis-faults.tsx'

export type Draft = NonNullable<EpcisRead['draft']>

/** Reads a supplier's document, shows what was understood of it, and hands over the beginning of a shipment. */
export function ReadEpcis({ onDraft }: { onDraft: (draft: Draft) => void }) {
  const { t } = useTranslation('epcis')
  const [read, setRead] = useState<EpcisRead | null>(null)
  const [isReading, setIsReading] = useState(false)
  const take = async (file: File) => {
    setIsReading(true)
    setRead(await call(epcis.read, { body: { file } }, { toastAll: true }).catch(() => null))
    setIsReading(false)
  }
  const draft = read?.draft
  return (
    <Panel title={t('read.title')} text={t('read.hint')}>
      <FileButton
        variant="default"
        label={t('read.title')}
        accept=".json,.jsonld,application/json,application/ld+json"
        loading={isReading}
        onFile={(file) => void take(file)}
      >
        {t('read.choose')}
      </FileButton>
      <div aria-live="polite">
        {read && read.faults.length > 0 && <p>{t('read.refused')}</p>}
        {read && <EpcisFaults faults={read.faults} />}
        {read && draft && <Understood read={read} draft={draft} />}
      </div>
      {draft && <Button onClick={() => onDraft(draft)}>{t('read.use')}</Button>}
    </Panel>
  )
}

function Understood({ read, draft }: { read: EpcisRead; draft: Draft }) {
  const { t } = useTranslation('epcis')
  const { legs } = draft
  const [first] = legs
  /** The facts of all legs, each once. */
  const ofLegs = (of: (leg: Draft['legs'][number]) => string) => listed([...new Set(legs.map(of))].filter(Boolean))
  const celsius = (value: number) => `${formatNumber(value, 1)} °C`
  const facts: [string, string | null | undefined][] = [
    ['events', formatNumber(read.events)],
    ['withdrawn', read.withdrawn > 0 ? formatNumber(read.withdrawn) : null],
    ['period', read.from && read.to && `${formatTime(read.from)} – ${formatTime(read.to)}`],
    ['ends', [draft.origin?.name, draft.destination?.name].filter(Boolean).join(' → ')],
    ['route', ofLegs(({ fromPort, toPort }) => [fromPort, toPort].filter(Boolean).join(' → '))],
    [
      'vessel',
      ofLegs(({ vesselName, imo, voyage, flightNumber }) =>
        [vesselName, imo, voyage, flightNumber].filter(Boolean).join(' · '),
      ),
    ],
    ['container', ofLegs(({ containerNo, awb }) => [containerNo, awb].filter(Boolean).join(' · '))],
    ['departure', first?.etd && formatTime(first.etd)],
    ['pallets', read.pallets.join(', ')],
    ['products', [draft.product, ...draft.furtherProducts.map((one) => one.product)].filter(Boolean).join(', ')],
    ['gtins', read.gtins.join(', ')],
    ['lots', read.lots.join(', ')],
    [
      'temperature',
      read.lowestC !== null && read.highestC !== null ? `${celsius(read.lowestC)} – ${celsius(read.highestC)}` : null,
    ],
  ]
  return (
    <>
      <h3 className={classes.heading}>{t('read.understood')}</h3>
      <dl className={classes.facts}>
        {facts
          .filter(([, text]) => text)
          .map(([name, text]) => [<dt key={name}>{t(`read.facts.${name}`)}</dt>, <dd key={`${name} text`}>{text}</dd>])}
      </dl>
      {read.unknown.length > 0 && (
        <p className={classes.small}>{t('read.unknown', { names: read.unknown.join(', ') })}</p>
      )}
    </>
  )
}
