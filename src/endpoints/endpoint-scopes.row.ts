import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One scope of one of the sets that an endpoint takes at the gateway: a caller needs all of a set, of any set. */
@Entity('api_endpoint_scope_t')
export class EndpointScopeRow {
  @PrimaryColumn({ type: 'uuid' }) host_id!: string;
  @PrimaryColumn({ type: 'uuid' }) endpoint_id!: string;
  /** From 0, in the order of the document. */
  @PrimaryColumn({ type: 'integer' }) scope_set!: number;
  /** Place in the set. */
  @PrimaryColumn({ type: 'integer' }) order_index!: number;
  /** Null in a set that needs nothing. */
  @Column({ type: 'text', nullable: true }) scheme!: string | null;
  /** Null of a scheme that knows no scopes. */
  @Column({ type: 'text', nullable: true }) scope!: string | null;
  @Column({ type: 'text', nullable: true }) scope_desc!: string | null;
  @Column({ type: 'boolean' }) active!: boolean;
  @Column({ type: 'bigint' }) position!: number;
  @Column({ type: 'bigint' }) aggregate_version!: number;
  @Column({ type: 'timestamptz', precision: 3 }) update_ts!: string;
  @Column({ type: 'text' }) update_user!: string;
}
