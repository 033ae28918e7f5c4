import { type CheckedProof, proofs, type RecordStatement } from '@isotherm/contract/proofs.ts'
import { Alert, Button, Group, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { GuestLayout } from '../../features/auth/parts/guest-layout.tsx'
import { call } from '../../lib/call.ts'
import { formatNumber, formatTemperature } from '../../lib/numbers.ts'
import { formatExactTime } from '../../lib/times.ts'
import shared from '../../ui/facts.module.css'
import { FileButton } from '../../ui/file-chooser.tsx'
import classes from '../device-reports/report.module.css'

/** Tells anybody who holds a proof of a record whether this installation signed it, and what it says. */
export function CheckProofPage() {
  const { t } = useTranslation('proofs')
  const [jws, setJws] = useState('')
  const [checked, setChecked] = useState<CheckedProof | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const check = async (text: string) => {
    setJws(text)
    setChecked(null)
    setIsAsking(true)
    try {
      setChecked(await call(proofs.check, { body: { jws: jwsIn(text) } }, { toastAll: true }))
    } catch {
      // The call has toasted it.
    } finally {
      setIsAsking(false)
    }
  }
  return (
    <GuestLayout title={t('check.title')} lead={t('check.lead')}>
      <Textarea
        label={t('check.proof')}
        description={t('check.proofHelp')}
        classNames={{ input: classes.hash }}
        rows={5}
        spellCheck={false}
        value={jws}
        onChange={(event) => {
          setJws(event.currentTarget.value)
          setChecked(null)
        }}
      />
      <Group mt="sm" gap="sm">
        <Button loading={isAsking} disabled={jws.trim() === ''} onClick={() => void check(jws)}>
          {t('check.submit')}
        </Button>
        <FileButton
          variant="default"
          label={t('check.file')}
          accept=".json,.jws,.txt"
          onFile={(file) => void file.text().then(check)}
        >
          {t('check.file')}
        </FileButton>
      </Group>
      {checked && <Answer checked={checked} />}
    </GuestLayout>
  )
}

/** The proof in a text: the text itself, or the field `jws` of a downloaded file. */
function jwsIn(text: string): string {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found === 'object' && found !== null && 'jws' in found) return String(found.jws)
  } catch {
    // It is the proof itself.
  }
  return text.trim()
}

function Answer({ checked }: { checked: CheckedProof }) {
  const { t } = useTranslation('proofs')
  if (!checked.statement)
    return (
      <Alert mt="md" color="red" title={t('check.refused')} role="status">
        {t(`check.faults.${checked.fault ?? 'malformed'}`)}
      </Alert>
    )
  return (
    <>
      <Alert mt="md" color="teal" title={t('check.genuine')} role="status">
        {t('check.genuineText', { at: formatExactTime(checked.statement.issuedAt), key: checked.keyId })}
      </Alert>
      <Statement statement={checked.statement} />
    </>
  )
}

const periodText = (from: string, to: string): string => `${formatExactTime(from)} – ${formatExactTime(to)}`

function Statement({ statement }: { statement: RecordStatement }) {
  const { t } = useTranslation('proofs')
  const { record, company } = statement
  const facts: [string, string | null][] = [
    [t('facts.company'), company.name],
    [t('facts.record'), record.name],
    [t('facts.lot'), record.lot],
    [t('facts.period'), periodText(record.startAt, record.endAt)],
    [t('facts.verdict'), t(`verdicts.${statement.verdict}`)],
  ]
  return (
    <>
      <dl className={`${shared.facts} ${classes.facts}`} style={{ marginTop: 16 }}>
        {facts.map(([name, value]) => value && <Fact key={name} name={name} value={value} />)}
      </dl>
      {statement.devices.map((device) => (
        <section key={device.id}>
          <h2 style={{ fontSize: 'var(--mantine-font-size-md)', margin: '16px 0 8px' }}>{device.name}</h2>
          <dl className={`${shared.facts} ${classes.facts}`}>
            {device.period && (
              <Fact name={t('facts.period')} value={periodText(device.period.from, device.period.to)} />
            )}
            <Fact name={t('facts.verdict')} value={t(`verdicts.${device.temperature.verdict}`)} />
            <Fact
              name={t('facts.range')}
              value={`${formatTemperature(device.temperature.min)} – ${formatTemperature(device.temperature.max)}`}
            />
            <Fact name={t('facts.mkt')} value={formatTemperature(device.temperature.mktC)} />
            <Fact name={t('facts.excursions')} value={formatNumber(device.temperature.excursions)} />
            <Fact name={t('facts.readings')} value={formatNumber(device.temperature.count)} />
            <Fact name={t('facts.hardware')} value={device.hardware.join(', ')} />
          </dl>
        </section>
      ))}
      <dl className={`${shared.facts} ${classes.facts}`} style={{ marginTop: 16, gridTemplateColumns: '1fr' }}>
        {statement.signatures.map(({ sha256, meaning, signerName, signedAt, stands }) => (
          <Fact
            key={sha256}
            name={t(`signed.${meaning}`)}
            value={`${signerName}, ${formatExactTime(signedAt)} · ${t(stands ? 'signed.stands' : 'signed.void')}`}
          />
        ))}
        <div>
          <dt>{t('facts.contentHash')}</dt>
          <dd className={classes.hash}>{statement.contentSha256}</dd>
        </div>
      </dl>
    </>
  )
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
