/* The properties of TCAS (Euclide, ICST 2009, Table 1) as behaviors; signed overflow is excluded, without which
 * P1a and P5a would be violated by wrap-around.
 *
 * tcas: alt_sep_test is printed in 003_683ac25ae3140078.txt, Euclide paper Fig. 5 and TCAS
 * (KER) paper Fig. 3. The callees (call graph Fig. 4 / Fig. 2) are not printed and are
 * RECONSTRUCTED from the known behaviour of that component; thresholds are inputs. */
typedef int bool_t;                                   /* "bool" in the figure */
#define OLEV       600
#define MAXALTDIFF 600
#define MINSEP     300
#define NOZCROSS   100
#define NO_INTENT  0
#define TCAS_TA    1
#define UNRESOLVED  0
#define UPWARD_RA   1
#define DOWNWARD_RA 2

int Cur_Vertical_Sep;
bool_t High_Confidence;
bool_t Two_of_Three_Reports_Valid;
int Own_Tracked_Alt;
int Own_Tracked_Alt_Rate;
int Other_Tracked_Alt;
int Alt_Layer_Value;                                  /* 0..3 */
int Positive_RA_Alt_Thresh[4] = { 400, 500, 640, 740 };
int Up_Separation;
int Down_Separation;
int Other_RAC;                                        /* NO_INTENT or other */
int Other_Capability;                                 /* TCAS_TA or other */
int Climb_Inhibit;                                    /* 0 or 1 */

int ALIM(void)                     { return Positive_RA_Alt_Thresh[Alt_Layer_Value]; }
int Inhibit_Biased_Climb(void)     { return Climb_Inhibit ? Up_Separation + NOZCROSS : Up_Separation; }
bool_t Own_Below_Threat(void)      { return Own_Tracked_Alt < Other_Tracked_Alt; }
bool_t Own_Above_Threat(void)      { return Other_Tracked_Alt < Own_Tracked_Alt; }

bool_t Non_Crossing_Biased_Climb(void)
{
    bool_t up_preferred = Inhibit_Biased_Climb() > Down_Separation;
    if (up_preferred)
        return !Own_Below_Threat() || !(Down_Separation >= ALIM());
    return Own_Above_Threat() && Cur_Vertical_Sep >= MINSEP && Up_Separation >= ALIM();
}

bool_t Non_Crossing_Biased_Descend(void)
{
    bool_t up_preferred = Inhibit_Biased_Climb() > Down_Separation;
    if (up_preferred)
        return Own_Below_Threat() && Cur_Vertical_Sep >= MINSEP && Down_Separation >= ALIM();
    return !Own_Above_Threat() || Up_Separation >= ALIM();
}

/*@ requires 0 <= Alt_Layer_Value <= 3;
  @ behavior P1a:
  @   assumes Up_Separation >= Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation < Positive_RA_Alt_Thresh[Alt_Layer_Value];
  @   ensures \result != DOWNWARD_RA;
  @ behavior P1b:
  @   assumes Up_Separation < Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation >= Positive_RA_Alt_Thresh[Alt_Layer_Value];
  @   ensures \result != UPWARD_RA;
  @ behavior P2a:
  @   assumes Up_Separation < Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation < Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation < Up_Separation;
  @   ensures \result != DOWNWARD_RA;
  @ behavior P2b:
  @   assumes Up_Separation < Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation < Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation > Up_Separation;
  @   ensures \result != UPWARD_RA;
  @ behavior P3a:
  @   assumes Up_Separation >= Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation >= Positive_RA_Alt_Thresh[Alt_Layer_Value] && Own_Tracked_Alt > Other_Tracked_Alt;
  @   ensures \result != DOWNWARD_RA;
  @ behavior P3b:
  @   assumes Up_Separation >= Positive_RA_Alt_Thresh[Alt_Layer_Value] && Down_Separation >= Positive_RA_Alt_Thresh[Alt_Layer_Value] && Own_Tracked_Alt < Other_Tracked_Alt;
  @   ensures \result != UPWARD_RA;
  @ behavior P4a:
  @   assumes Own_Tracked_Alt > Other_Tracked_Alt;
  @   ensures \result != DOWNWARD_RA;
  @ behavior P4b:
  @   assumes Own_Tracked_Alt < Other_Tracked_Alt;
  @   ensures \result != UPWARD_RA;
  @ behavior P5a:
  @   assumes Down_Separation < Up_Separation;
  @   ensures \result != DOWNWARD_RA;
  @ behavior P5b:
  @   assumes Down_Separation > Up_Separation;
  @   ensures \result != UPWARD_RA;
  @*/
int alt_sep_test(void)
{
    bool_t enabled, tcas_equipped, intent_not_known;
    bool_t need_upward_RA = 0, need_downward_RA = 0;
    int alt_sep;

    enabled = High_Confidence && (Own_Tracked_Alt_Rate <= OLEV) && (Cur_Vertical_Sep > MAXALTDIFF);
    tcas_equipped = Other_Capability == TCAS_TA;
    intent_not_known = Two_of_Three_Reports_Valid && Other_RAC == NO_INTENT;

    alt_sep = UNRESOLVED;
    if (enabled && ((tcas_equipped && intent_not_known) || !tcas_equipped)) {
        need_upward_RA = Non_Crossing_Biased_Climb() && Own_Below_Threat();
        need_downward_RA = Non_Crossing_Biased_Descend() && Own_Above_Threat();
        if (need_upward_RA && need_downward_RA)       /* 11 */
            alt_sep = UNRESOLVED;                     /* 12 */ /* @goal 11-12 */
        else if (need_upward_RA)
            alt_sep = UPWARD_RA;                      /* @goal upward */
        else if (need_downward_RA)
            alt_sep = DOWNWARD_RA;                    /* @goal downward */
        else
            alt_sep = UNRESOLVED;
    }
    return alt_sep;
}
