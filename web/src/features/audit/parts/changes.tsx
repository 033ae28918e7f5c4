import type { AuditLine } from '@isotherm/contract/audit.ts'
import { useTranslation } from 'react-i18next'
import classes from './changes.module.css'

/** What was before and what is after, a row per fact; nothing where neither was recorded. */
export function Changes({ before, after }: Pick<AuditLine, 'before' | 'after'>) {
  const { t } = useTranslation('audit')
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  if (names.length === 0) return null
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th />
            <th>{t('screen.before')}</th>
            <th>{t('screen.after')}</th>
          </tr>
        </thead>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{textOf(before?.[name])}</td>
              <td>{textOf(after?.[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const textOf = (value: unknown) =>
  value === undefined || value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value)
