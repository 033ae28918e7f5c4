import type { AuditLine } from '@isotherm/contract/audit.ts'
import { useTranslation } from 'react-i18next'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from './changes.module.css'

/** Values before and after, a row per fact; nothing where neither was recorded. */
export function Changes({ changes }: Pick<AuditLine, 'changes'>) {
  const { t } = useTranslation('audit')
  if (changes.length === 0) return null
  // A creation or a removal has one side only.
  const sides = (['before', 'after'] as const).filter((side) => changes.some((fact) => fact[side] !== null))
  return (
    <Sideways label={t('screen.changes')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('screen.fact')}</th>
            {sides.map((side) => (
              <th key={side} scope="col">
                {t(`screen.${side}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((fact) => (
            <tr key={fact.name}>
              <th scope="row">{fact.name}</th>
              {sides.map((side) => (
                <td key={side}>{fact[side] ?? '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Sideways>
  )
}
