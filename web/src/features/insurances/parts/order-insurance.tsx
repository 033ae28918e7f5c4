import { insurances } from '@isotherm/contract/insurances.ts'
import type { OrderInsurance as Insured, OrderDetails } from '@isotherm/contract/orders.ts'
import { Button, Group, Paper } from '@mantine/core'
import { IconDownload, IconShieldCheck, IconUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { download } from '../../../lib/download.ts'
import { formatMoney } from '../../../lib/money.ts'
import { formatSpan } from '../../../lib/times.ts'
import facts from '../../../ui/facts.module.css'
import frames from '../../../ui/frames.module.css'
import { ToneBadge } from '../../../ui/tone-badge.tsx'
import { BuyDialog, CancelDialog, CertificateDialog } from './insurance-dialogs.tsx'

const tones = { requested: 'warning', certified: 'ok', declined: 'warm', void: 'none' } as const

/** The insurance of an order: its plan and state, the certificate, and what can be done about it. */
export function OrderInsurance({ order }: { order: OrderDetails }) {
  const { t } = useTranslation('insurances')
  const mayEdit = useCan('dispatch.addOrEdit')
  const [asked, setAsked] = useState<'buy' | 'cancel' | 'certify' | null>(null)
  const insured = order.insuranceDetails
  const isNew = order.state === 'new'
  const isLive = insured?.state === 'requested' || insured?.state === 'certified'
  const close = () => setAsked(null)
  return (
    <Paper component="section" className={frames.panel} aria-labelledby="order-insurance">
      <h2 id="order-insurance">{t('title')}</h2>
      {insured ? <InsuranceFacts insured={insured} /> : <p className={frames.note}>{t('none')}</p>}
      {insured?.state === 'requested' && <p className={frames.note}>{t(insured.isAsked ? 'gate' : 'gateByHand')}</p>}
      <Group gap="xs" mt="sm">
        {insured?.hasCertificate && <CertificateButton insured={insured} />}
        {mayEdit && isNew && !isLive && (
          <Button variant="default" leftSection={<IconShieldCheck size={16} />} onClick={() => setAsked('buy')}>
            {t('insure')}
          </Button>
        )}
        {mayEdit && insured && insured.state !== 'void' && order.state !== 'cancelled' && (
          <Button variant="default" leftSection={<IconUpload size={16} />} onClick={() => setAsked('certify')}>
            {t('upload.action')}
          </Button>
        )}
        {mayEdit && isNew && insured && insured.state !== 'void' && (
          <Button variant="default" color="red" onClick={() => setAsked('cancel')}>
            {t('cancel.action')}
          </Button>
        )}
      </Group>
      {asked === 'buy' && <BuyDialog order={order} onClose={close} />}
      {asked === 'cancel' && <CancelDialog order={order} onClose={close} />}
      {asked === 'certify' && insured && <CertificateDialog order={order} insured={insured} onClose={close} />}
    </Paper>
  )
}

function InsuranceFacts({ insured }: { insured: Insured }) {
  const { t } = useTranslation('insurances')
  const { validFrom, validTo, currency } = insured
  return (
    <>
      <ToneBadge tone={tones[insured.state]} mb="sm">
        {t(`states.${insured.state}`)}
      </ToneBadge>
      <dl className={facts.facts} style={{ gridTemplateColumns: 'repeat(auto-fit, minmax(150px, 1fr))' }}>
        <Fact name={t('plan')} value={insured.planName} />
        <Fact name={t('insurer')} value={insured.insurer} />
        <Fact name={t('worth')} value={formatMoney(insured.worth, currency)} />
        <Fact name={t('premium')} value={formatMoney(insured.premium, currency)} />
        <Fact name={t('policy')} value={insured.policyNumber} />
        {validFrom && validTo && <Fact name={t('validity')} value={t('period', formatSpan(validFrom, validTo))} />}
        <Fact name={t('reason')} value={insured.reason} />
      </dl>
    </>
  )
}

const Fact = ({ name, value }: { name: string; value: string | null }) =>
  value && (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )

function CertificateButton({ insured }: { insured: Insured }) {
  const { t } = useTranslation('insurances')
  const load = async () => {
    try {
      const file = await call(insurances.certificate, { params: { id: insured.id } }, { toastAll: true })
      download(file, `${insured.policyNumber ?? t('download')}.pdf`)
    } catch {
      // The call has toasted it.
    }
  }
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void load()}>
      {t('download')}
    </Button>
  )
}
