import type { Driver } from '@isotherm/contract/drivers.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { PhoneLink } from '../../../shared/dispatch/phone-link.tsx'
import facts from '../../../ui/facts.module.css'
import { Panel } from '../../../ui/panel.tsx'
import classes from './driver.module.css'
import { LicenceDay } from './licence-day.tsx'

/** The facts of a driver that are known. */
export function DriverFacts({ driver }: { driver: Driver }) {
  const { t } = useTranslation('drivers')
  const { phone, email, address, vehicle, licenceNo, licenceExpiresOn } = driver
  const known: [string, ReactNode][] = [
    ['phone', <PhoneLink key="phone" phone={phone} />],
    ['email', email],
    ['address', address],
    ['vehicle', vehicle ? `${vehicle.name} · ${vehicle.plate}` : t('assignment.unassigned')],
    ['licenceNo', licenceNo],
    ['licenceExpiresOn', licenceExpiresOn && <LicenceDay key="day" day={licenceExpiresOn} />],
  ]
  return (
    <Panel title={t('details')}>
      <dl className={`${facts.facts} ${classes.facts}`}>
        {known
          .filter(([, value]) => value)
          .map(([name, value]) => (
            <div key={name}>
              <dt>{t(`fields.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </Panel>
  )
}
