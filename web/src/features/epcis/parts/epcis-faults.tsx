import type { EpcisFault } from '@isotherm/contract/epcis.ts'
import { useTranslation } from 'react-i18next'
import classes from './epcis.module.css'

/** The faults of a document, each with its place. */
export function EpcisFaults({ faults }: { faults: readonly EpcisFault[] }) {
  const { t } = useTranslation('epcis')
  if (faults.length === 0) return null
  return (
    <>
      <h3 className={classes.heading}>{t('faultsTitle')}</h3>
      <ul className={classes.list}>
        {faults.map(({ path, fault }) => (
          <li key={`${path} ${fault}`} className={classes.row}>
            <div className={classes.words}>
              <span>{t(`fault.${fault}`)}</span>
              {path && <code className={classes.small}>{path}</code>}
            </div>
          </li>
        ))}
      </ul>
    </>
  )
}
