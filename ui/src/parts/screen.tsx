import {
  Breadcrumb,
  BreadcrumbItem,
  Content,
  Flex,
  FlexItem,
  PageBreadcrumb,
  PageSection,
  Title,
} from '@patternfly/react-core';
import { useEffect, type ReactNode } from 'react';
import { useTexts } from '../texts/texts.tsx';
import { To } from './to.tsx';

interface Given {
  readonly title: string;
  /** One sentence on what the screen is for. */
  readonly lead?: ReactNode;
  /** Where it lies: the list that it belongs to. */
  readonly above?: { readonly to: string; readonly title: string };
  readonly badges?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen: its name, what it is for, what can be done, and its content. */
export function Screen({ title, lead, above, badges, actions, children }: Given) {
  const { product } = useTexts();
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
  return (
    <>
      {above !== undefined && (
        <PageBreadcrumb>
          <Breadcrumb>
            <BreadcrumbItem
              render={({ className }) => (
                <To to={above.to} className={className}>
                  {above.title}
                </To>
              )}
            />
            <BreadcrumbItem isActive>{title}</BreadcrumbItem>
          </Breadcrumb>
        </PageBreadcrumb>
      )}
      <PageSection>
        <Flex
          alignItems={{ default: 'alignItemsCenter' }}
          justifyContent={{ default: 'justifyContentSpaceBetween' }}
        >
          <FlexItem className="portal-fit portal-title">
            <Flex alignItems={{ default: 'alignItemsCenter' }} gap={{ default: 'gapSm' }}>
              <Title headingLevel="h1" className="portal-wrap">
                {title}
              </Title>
              {badges}
            </Flex>
            {lead !== undefined && <Content component="p">{lead}</Content>}
          </FlexItem>
          {actions !== undefined && <Flex gap={{ default: 'gapSm' }}>{actions}</Flex>}
        </Flex>
      </PageSection>
      <PageSection isFilled>{children}</PageSection>
    </>
  );
}
