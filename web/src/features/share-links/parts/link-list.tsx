import type { ShareLink } from '@isotherm/contract/share-links.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../../lib/can.ts'
import { formatNumber } from '../../../lib/numbers.ts'
import { formatDuration, formatTime } from '../../../lib/times.ts'
import { toastSuccess } from '../../../lib/toast.ts'
import { Age } from '../../../ui/age.tsx'
import { confirm } from '../../../ui/confirm.ts'
import { revokeLink, revoking } from '../subject.ts'
import classes from './share-links.module.css'

interface LinkListProps {
  links: readonly ShareLink[]
  label: string
  /** Names the device or groups of each. */
  hasSubject?: boolean
  onEdit?: (link: ShareLink) => void
}

/** Links that are good now, each with what it shows, how often it was opened, and the way to revoke it. */
export function LinkList({ links, label, hasSubject = false, onEdit }: LinkListProps) {
  return (
    <ul className={classes.links} aria-label={label}>
      {links.map((link) => (
        <Row key={link.id} link={link} hasSubject={hasSubject} onEdit={onEdit} />
      ))}
    </ul>
  )
}

interface RowProps extends Pick<LinkListProps, 'onEdit'> {
  link: ShareLink
  hasSubject: boolean
}

function Row({ link, hasSubject, onEdit }: RowProps) {
  const { t } = useTranslation('shareLinks')
  const mayRevoke = useCan(revoking[link.kind])
  const revoke = () =>
    confirm({
      title: t('revoke.title', { label: link.label }),
      text: t(link.kind === 'wall' ? 'revoke.wallText' : 'revoke.text'),
      action: t('revoke.action'),
      destructive: true,
      run: async () => {
        await revokeLink(link)
        toastSuccess(t('revoke.done'))
      },
    })
  const shows = (['showsPosition', 'showsChart', 'showsPrivate'] as const)
    .filter((name) => link[name] && !(link.kind === 'wall' && name === 'showsChart'))
    .map((name) => t(`shows.${name}`))
  const about = [
    ...(hasSubject ? [subjectOf(link, t('wall.all'))] : []),
    ...shows,
    ...(link.turnS ? [t('turns', { time: formatDuration(link.turnS * 1000) })] : []),
    t('madeBy', { name: link.createdBy.name, time: formatTime(link.createdAt) }),
    link.expiresAt ? t('until', { time: formatTime(link.expiresAt) }) : t('noEnd'),
  ]
  return (
    <li>
      <div className={classes.words}>
        <b>{link.label}</b>
        <span className={classes.small}>{about.join(' · ')}</span>
        <span className={classes.small}>
          {t('opened', { count: link.openings, times: formatNumber(link.openings) })}
          {link.lastReadAt && (
            <>
              {' · '}
              {t('lastRead')} <Age at={link.lastReadAt} />
            </>
          )}
        </span>
      </div>
      {onEdit && (
        <Button
          variant="default"
          size="sm"
          onClick={() => onEdit(link)}
          aria-label={t('wall.edit', { label: link.label })}
        >
          {t('common:actions.edit')}
        </Button>
      )}
      {mayRevoke && (
        <Button variant="default" size="sm" onClick={revoke} aria-label={t('revoke.of', { label: link.label })}>
          {t('revoke.action')}
        </Button>
      )}
    </li>
  )
}

const subjectOf = ({ device, groups }: ShareLink, all: string): string =>
  device?.name ?? (groups.length > 0 ? groups.map(({ name }) => name).join(', ') : all)
