import { proofs } from '@isotherm/contract/proofs.ts'
import type { RecordDetails } from '@isotherm/contract/records.ts'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { ExportButton } from '../../../ui/list/export-button.tsx'
import { TextLink } from '../../../ui/text-link.tsx'
import classes from './records.module.css'

/** Saves the facts of a record that is over, signed by the installation; only for somebody who may export and sees all of it. */
export function ProofButton({ record }: { record: RecordDetails }) {
  const { t } = useTranslation('records')
  const mayExport = useCan('devices.export')
  if (!mayExport || record.contentSha256 === null) return null
  const load = async () => {
    const proof = await call(proofs.ofRecord, { params: { id: record.id } }, { toastAll: true })
    return new Blob([`${JSON.stringify(proof, null, 1)}\n`], { type: 'application/json' })
  }
  return (
    <div className={`${classes.item} ${classes.apart}`}>
      <p className={classes.text}>
        {t('proof.text')} <TextLink to="/verify-proof">{t('proof.check')}</TextLink>
      </p>
      <ExportButton fileName={`${record.name}.proof.json`} label={t('proof.action')} size="sm" load={load} />
    </div>
  )
}
