import { type ShipmentLink, shipmentLinks } from '@isotherm/contract/shipment-links.ts'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.ts'
import { copyLink } from '../../../lib/copy-link.ts'
import { languageNames } from '../../../lib/languages.ts'
import { named } from '../../../lib/named.ts'
import { useNow } from '../../../lib/now.ts'
import { refetchCalls, useCall } from '../../../lib/query.ts'
import { formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { confirm } from '../../../ui/confirm.ts'
import { Failure } from '../../../ui/failure.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { LinkDialog } from './link-dialog.tsx'
import classes from './shipment-links.module.css'

const refetch = () => refetchCalls(shipmentLinks.list)

const copy = (link: ShipmentLink, done: string) => copyLink(link.url, done)

/** The links of a shipment's page: to make, copy, replace and revoke, for those who may edit it. */
export function ShipmentLinks({ shipmentId, isCancelled }: { shipmentId: string; isCancelled: boolean }) {
  const { t } = useTranslation('shipmentLinks')
  const mayEdit = useCan('dispatch.addOrEdit')
  const [isMaking, setIsMaking] = useState(false)
  const links = useCall(shipmentLinks.list, { params: { id: shipmentId } })
  if (!mayEdit) return null
  if (links.error) return <Failure error={links.error} onRetry={() => void links.refetch()} />
  const made = async (link: ShipmentLink) => {
    setIsMaking(false)
    await Promise.all([copy(link, t('made')), refetch()])
  }
  return (
    <Panel title={t('title')} text={t('lead')}>
      {links.data?.length === 0 && <p className={classes.small}>{t('none')}</p>}
      {isCancelled ? (
        <p className={classes.small}>{t('cancelled')}</p>
      ) : (
        <Button onClick={() => setIsMaking(true)}>{t('make')}</Button>
      )}
      <ul className={classes.list}>
        {links.data?.map((link) => (
          <Row key={link.id} link={link} isCancelled={isCancelled} />
        ))}
      </ul>
      {isMaking && (
        <LinkDialog
          shipmentId={shipmentId}
          onMade={(link) => void made(link).catch(() => undefined)}
          onClose={() => setIsMaking(false)}
        />
      )}
    </Panel>
  )
}

function Row({ link, isCancelled }: { link: ShipmentLink; isCancelled: boolean }) {
  const { t } = useTranslation('shipmentLinks')
  const now = useNow()
  const { id, label: name, expiresAt, lastReadAt, showsDocuments, locale } = link
  const replace = () =>
    confirm({
      ...{ title: t('confirmRotate', { name }), text: t('rotateText'), action: t('rotate') },
      run: async () => {
        await copy(await call(shipmentLinks.rotate, { params: { id } }), t('rotated'))
        await refetch()
      },
    })
  const end = () =>
    confirm({
      ...{ title: t('confirmRevoke', { name }), text: t('revokeText'), action: t('revoke'), destructive: true },
      run: async () => {
        await call(shipmentLinks.revoke, { params: { id } })
        await refetch()
        toastSuccess(t('revoked'))
      },
    })
  const isOver = Date.parse(expiresAt) <= now
  const state = [
    t(isOver ? 'expired' : 'expires', { time: formatTime(expiresAt) }),
    lastReadAt ? t('opened', { time: formatTime(lastReadAt) }) : t('notOpened'),
    locale && languageNames[locale],
    showsDocuments && t('withDocuments'),
  ]
  // Each link has the same ones.
  const act = (action: string) => ({
    ...{ variant: 'default', size: 'sm', children: action },
    'aria-label': named(action, name),
  })
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <b>{name}</b>
        <span className={classes.small}>{state.filter(Boolean).join(' · ')}</span>
      </div>
      <Group gap="xs">
        {!isOver && <Button {...act(t('copy'))} onClick={() => void copy(link, t('copied')).catch(() => undefined)} />}
        {!isCancelled && <Button {...act(t('rotate'))} onClick={replace} />}
        <Button {...act(t('revoke'))} onClick={end} />
      </Group>
    </li>
  )
}
