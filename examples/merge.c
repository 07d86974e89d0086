/* Merges two sorted arrays. The contract says what callers must give; clew takes it as the precondition. */
/*@ requires 0 <= l1 <= 5 && 0 <= l2 <= 5;
    requires \valid(t1+(0..l1-1)) && \valid(t2+(0..l2-1)) && \valid(t3+(0..l1+l2-1));
    requires \forall integer i; 0 <= i < l1-1 ==> t1[i] <= t1[i+1];
    requires \forall integer i; 0 <= i < l2-1 ==> t2[i] <= t2[i+1]; */
void Merge(int t1[], int t2[], int t3[], int l1, int l2){
  int i=0,j=0,k=0;
  while(i<l1&&j<l2){
    if(t1[i]<t2[j]){ t3[k]=t1[i]; i++; }
    else { t3[k]=t2[j]; j++; }
    k++;
  }
  while(i<l1){ t3[k]=t1[i]; i++; k++; }
  while(j<l2){ t3[k]=t2[j]; j++; k++; }
}
