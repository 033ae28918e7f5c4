import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Attributes<P> = P & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof P> & { ref?: Ref<HTMLAnchorElement> }

/** A link that looks like a button. Path, parameters and search parameters are checked as those of a link are. */
export const ButtonLink = createLink((props: Attributes<ButtonProps>) => <Button component="a" {...props} />)

/** A link in the look of a text link of the theme. */
export const AnchorLink = createLink((props: Attributes<AnchorProps>) => <Anchor {...props} />)
