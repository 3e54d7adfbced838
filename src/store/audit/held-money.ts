/** The money that an open order `o` of a market `m` holds, with its fee (`restingHold` in core/fees.ts). */
export const HELD = `(o.quantity - o.filled - o.covered) *
    CASE o.side WHEN 'yes' THEN o.price ELSE m.payout - o.price END +
    CASE o.fee_maker WHEN 0 THEN 0 ELSE fee_held(o.fee_maker, o.price, m.payout,
    o.quantity - o.filled - o.covered, iif(o.covered = 0, o.fee_credit, 0)) END`
