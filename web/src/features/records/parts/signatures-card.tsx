import type { RecordDetails, RecordSignature } from '@isotherm/contract/records.ts'
import { Button, Paper } from '@mantine/core'
import { IconSignature } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatExactTime } from '../../../lib/times.ts'
import frames from '../../../ui/frames.module.css'
import { StateDot } from '../../../ui/state-dot.tsx'
import { ProofButton } from './proof-button.tsx'
import classes from './records.module.css'
import { SignDialog } from './sign-dialog.tsx'

/** The signatures with their meanings; a void one says why. */
export function SignaturesCard({ record, mayEdit }: { record: RecordDetails; mayEdit: boolean }) {
  const { t } = useTranslation('records')
  // Kept from when the dialog opened: what is signed is what the signer saw.
  const [signing, setSigning] = useState<string | null>(null)
  const { contentSha256 } = record
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="record-signatures">
      <h2 id="record-signatures">{t('sign.title')}</h2>
      {record.signatures.length === 0 && (
        <p className={frames.note}>{t(record.state === 'ended' ? 'sign.empty' : 'sign.later')}</p>
      )}
      <ul className={classes.list}>
        {record.signatures.map((signature) => (
          <li key={signature.id} className={classes.item}>
            <Signature signature={signature} />
          </li>
        ))}
      </ul>
      {mayEdit && contentSha256 && (
        <Button my="sm" leftSection={<IconSignature size={16} />} onClick={() => setSigning(contentSha256)}>
          {t('sign.action')}
        </Button>
      )}
      {record.state === 'ended' && record.hiddenDevices > 0 && <p className={frames.note}>{t('sign.hidden')}</p>}
      <p className={frames.note}>{t('sign.part11')}</p>
      <ProofButton record={record} />
      {signing && <SignDialog record={record} contentSha256={signing} onClose={() => setSigning(null)} />}
    </Paper>
  )
}

function Signature({ signature }: { signature: RecordSignature }) {
  const { t } = useTranslation('records')
  const isVoid = signature.changed.length > 0
  const tone = isVoid ? 'none' : signature.meaning === 'rejected' ? 'warm' : 'ok'
  const changed = signature.changed.map((part) => t(`sign.parts.${part}`)).join(', ')
  return (
    <div className={frames.stack} style={{ gap: 4 }}>
      <div className={isVoid ? classes.struck : undefined}>
        <StateDot tone={tone} hollow={isVoid} label={t(`sign.meanings.${signature.meaning}`)} />
        <p className={classes.text}>
          <b>{signature.signerName}</b>, {formatExactTime(signature.signedAt)}
        </p>
        <p className={classes.text}>{signature.reason}</p>
      </div>
      {isVoid && (
        <div className={classes.void} role="note">
          {t('sign.voidBecause', { changed })}
        </div>
      )}
      <div className={`${frames.note} ${classes.hash}`}>{t('sign.signed', { hash: signature.contentSha256 })}</div>
    </div>
  )
}
