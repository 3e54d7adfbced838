/** Resolves to the shape if it describes the same JSON as the schema; otherwise it does not compile. */
export type Checked<Shape, IsSame extends true> = IsSame extends true ? Shape : never

/** True if both types have the same fields of the same types, ignoring `readonly`. */
export type Same<A, B> = Equal<Frozen<A>, Frozen<B>>

type Frozen<T> = T extends object ? { readonly [Key in keyof T]: Frozen<T[Key]> } : T
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
