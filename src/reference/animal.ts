/** Interface: PetStatus. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

/** Interface: NewPet. */
export type NewPet = { name: string; categoryId: bigint; status?: PetStatus };

/** Interface: Pet. */
export type Animal = { id: bigint } & NewPet;
