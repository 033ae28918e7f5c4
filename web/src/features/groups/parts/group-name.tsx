import type { Group } from '@isotherm/contract/groups.ts'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

export function GroupName({ group: { name, visibility } }: { group: Group }) {
  const { t } = useTranslation('groups')
  return (
    <b style={{ overflowWrap: 'anywhere' }}>
      {name}
      {visibility === 'private' && (
        <>
          {'\u00a0'}
          <IconLock size={14} aria-hidden="true" />
          <span className="visually-hidden">{t('private')}</span>
        </>
      )}
    </b>
  )
}
