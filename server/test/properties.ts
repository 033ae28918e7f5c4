import fc from 'fast-check'

/** Property tests try the same cases in every run, so that CI is repeatable; `SEED=$RANDOM npm test` looks further. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20_261_121) })
