import { ActionIcon, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { named } from '../../../lib/named.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Sideways } from '../../../ui/sideways.tsx'
import classes from './developer.module.css'

/** Lines of code with a button that copies them. */
export function CopiedCode({ label, code }: { label: string; code: string }) {
  const { t } = useTranslation('developer')
  return (
    <div className={classes.code}>
      <Sideways label={label}>
        <pre>{code}</pre>
      </Sideways>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Tooltip label={t(copied ? 'code.copied' : 'code.copy')}>
            <ActionIcon
              className={classes.copy}
              variant="default"
              size="lg"
              aria-label={named(t(copied ? 'code.copied' : 'code.copy'), label)}
              onClick={copy}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  )
}
